import type { Places } from '../../shop/catalog.ts';

export type Place = { providerId: string; regionId: string; vendorId: string };
type Offer = Places['offers'][number];

/**
 * The offer that fits a preference best: region first, then provider, then vendor. Never one
 * without a free address. Undefined if nothing is free in the preferred region.
 */
export function choosePlace(offers: readonly Offer[], preferred: Partial<Place>): Place | undefined {
  const fit = (offer: Offer) =>
    (offer.providerId === preferred.providerId ? 2 : 0) + (offer.vendorId === preferred.vendorId ? 1 : 0);
  const [best] = offers
    .filter(offer => offer.available && (!preferred.regionId || offer.regionId === preferred.regionId))
    .sort((a, b) => fit(b) - fit(a));
  return best && { providerId: best.providerId, regionId: best.regionId, vendorId: best.vendorId };
}

/** Distinct values of one part of the offers' places, available ones first. */
export function choicesOf(offers: readonly Offer[], part: keyof Place): { id: string; available: boolean }[] {
  const available = new Map<string, boolean>();
  for (const offer of offers)
    available.set(offer[part], offer.available || available.get(offer[part]) === true);
  return [...available]
    .map(([id, free]) => ({ id, available: free }))
    .sort((a, b) => Number(b.available) - Number(a.available));
}

export type PlaceNames = { region: string; provider: string; vendor: string };

/** Display names of a place; empty strings without one. */
export function placeNames(places: Places, place: Place | undefined): PlaceNames {
  const named = (list: readonly { id: string; name: string }[], id: string | undefined) =>
    list.find(each => each.id === id)?.name ?? '';
  return {
    region: named(places.regions, place?.regionId),
    provider: named(places.providers, place?.providerId),
    vendor: named(places.vendors, place?.vendorId),
  };
}
