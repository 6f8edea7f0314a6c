import type { TestClient } from '@fixpoint/testkit/client.ts';
import { savedCard } from '../subscription/renewing.ts';

type Owned = { subscriptionId: string };

/** What another plan for a subscription is and costs. */
export const previewPlan = (client: TestClient, { subscriptionId: id }: Owned, planId: string) =>
  client.order.getData({ query: { id, planId } });

/** An order for another plan, as far as the moment before it is paid. */
export async function orderPlan(client: TestClient, owned: Owned, planId: string) {
  const { product, total } = (await previewPlan(client, owned, planId)).data!;
  const { currency, price } = total;
  const body = { productId: product.id, currency, subscriptionId: owned.subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  return { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
}
export type Consent = Awaited<ReturnType<typeof orderPlan>>;

/** Pays it with the saved card, after the credit that he gives for it. */
export async function buyPlan(client: TestClient, consent: Consent & { credit?: number }) {
  const { id: cardId } = await savedCard(client);
  return client.order.purchaseLogin({ body: { ...consent, cardId } });
}
