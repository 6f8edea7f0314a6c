import type { TestClient } from '@fixpoint/testkit/client.ts';

type Owned = { subscriptionId: string };
type Place = { providerId: string; regionId: string; vendorId: string };
type Choice = { planId?: string; cycleCount?: 1 | 3 | 6 | 12; place?: Place };

/** Reads the rest of a subscription that a replacement would use. */
export const leftOf = (client: TestClient, { subscriptionId: id }: Owned) =>
  client.order.getReplacement({ query: { id } });

/** Begins an order for another term or place in its stead, up to the moment before payment. */
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
