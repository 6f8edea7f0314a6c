import type { TestClient } from '@fixpoint/testkit/client.ts';
import { savedCard } from '../subscription/renewing.ts';

type Owned = { subscriptionId: string };

/** Reads the preview of a plan change. */
export const previewPlan = (client: TestClient, { subscriptionId: id }: Owned, planId: string) =>
  client.order.getData({ query: { id, planId } });

/** Begins an order for another plan, up to the moment before payment. */
export async function orderPlan(client: TestClient, owned: Owned, planId: string) {
  const { product, total } = (await previewPlan(client, owned, planId)).data!;
  const { currency, price } = total;
  const body = { productId: product.id, currency, subscriptionId: owned.subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  return { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
}
export type Consent = Awaited<ReturnType<typeof orderPlan>>;

/** Pays it with the chosen credit, then the saved card. */
export async function buyPlan(client: TestClient, consent: Consent & { credit?: number }) {
  const { id: cardId } = await savedCard(client);
  return client.order.purchaseLogin({ body: { ...consent, cardId } });
}
