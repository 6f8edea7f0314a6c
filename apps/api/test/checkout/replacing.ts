import type { TestClient } from '@fixpoint/testkit/client.ts';

type Owned = { subscriptionId: string };
type Place = { providerId: string; regionId: string; vendorId: string };
type Choice = { planId?: string; cycleCount?: 1 | 3 | 6 | 12; place?: Place };

/** What a subscription has left for one that takes its place. */
export const leftOf = (client: TestClient, { subscriptionId: id }: Owned) =>
  client.order.getReplacement({ query: { id } });

/** An order for one that takes its place, for other months or at another place, as far as the moment before it is paid. */
export async function orderElsewhere(client: TestClient, owned: Owned, choice: Choice = {}) {
  const { currency, unused, product: present } = (await leftOf(client, owned)).data!;
  const { planId = present.planId, cycleCount = 3, place = present } = choice;
  const { providerId, regionId, vendorId } = place;
  const wanted = { planId, cycleCount, providerId, regionId, vendorId, currency };
  const { product, total } = (await client.order.getProduct({ body: wanted })).data!;
  const body = { productId: product.id, currency, replaces: owned.subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  const prorated = Math.min(unused, total.price);
  const price = { currency, price: total.price };
  return { metadata, paymentMethod: 'card' as const, termsVersion, price, prorated };
}
