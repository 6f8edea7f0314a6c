import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';

/** Buyers with PayPal in one shop, and their payments on both sides. */
export function paypalBuyers(shop: TestShop) {
  async function newOrder(name: string) {
    const { consent, metadata } = await beginOrder(shop.client);
    const email = `${name}@example.com`;
    const press = async (paymentMethod: 'paypal' | 'card' = 'paypal') => {
      const body = { ...consent, paymentMethod, email, language: 'en' as const };
      return (await shop.client.order.purchase({ body })).data;
    };
    const confirm = () => shop.client.order.confirmPurchase({ body: { metadata } });
    return { metadata, email, press, confirm };
  }
  const statusOf = async ({ metadata }: Pick<NewOrder, 'metadata'>) =>
    (await shop.client.order.purchaseData({ body: { metadata } })).data!.status;
  return {
    newOrder,
    statusOf,
    /** The buyer approves with this funding source. */
    agree: (order: string, funding = 'balance') => shop.sandbox.control('paypal/approve', { order, funding }),
    is: (order: NewOrder, status: string) =>
      until(async () => (await statusOf(order)) === status, `an order that is ${status}`),
    capturesOf: async (...orders: string[]) =>
      (await shop.sandbox.paypalLedger()).captures.filter(({ order }) => orders.includes(order)),
    attemptsOf: ({ email }: NewOrder) =>
      shop.db
        .selectFrom('attempt')
        .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
        .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
        .selectAll('attempt')
        .where('shop_order.email', '=', email)
        .orderBy('attempt_no')
        .execute(),
    async later(ms: number) {
      shop.clock.advance(ms);
      await shop.sweep();
    },
  };
}
export type PaypalBuyers = ReturnType<typeof paypalBuyers>;
export type NewOrder = {
  metadata: string;
  email: string;
};
