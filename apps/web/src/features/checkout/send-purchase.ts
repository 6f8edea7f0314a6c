import { shownLanguage } from '../../routing/language.ts';
import { api } from '../../server/api.ts';
import type { PricedProduct } from '../../shop/catalog.ts';
import type { OrderState, PayMethod } from '../../shop/pay-method.ts';
import type { Buyer } from './order-parts.ts';

/** Submits an order by the call for its buyer; repeated, it continues the same order. */
export async function sendPurchase(order: {
  metadata: string;
  priced: PricedProduct;
  buyer: Buyer;
  by: PayMethod;
  /** Whether it renews an ended subscription. */
  reactivates: boolean;
  /** Whether it replaces a subscription. */
  replaces: boolean;
}): Promise<OrderState> {
  const { metadata, priced, buyer, by } = order;
  const { currency, price } = priced.total;
  const { email, termsVersion, company } = buyer;
  const consent = {
    metadata,
    paymentMethod: by.method,
    termsVersion,
    price: { currency, price },
    ...(company !== undefined && { company }),
  };
  if (!order.reactivates && !buyer.loggedIn) {
    const body = { ...consent, email, language: shownLanguage.get() };
    return (await api.order.purchase({ body })).data;
  }
  const body = {
    ...consent,
    ...by.saved,
    ...(buyer.credit !== undefined && { credit: buyer.credit }),
    ...(order.replaces && { prorated: buyer.prorated }),
  };
  const { data } = await (order.reactivates
    ? api.order.purchaseReactivate({ body })
    : api.order.purchaseLogin({ body }));
  return data;
}
