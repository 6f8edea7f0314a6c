import type { Db } from '../../ports/database.ts';
import type { PaymentMethod } from '../../ports/payment-gateway.ts';
import { askAttempt, askInvoice, closeInvoice } from './ask-attempt.ts';
import { chargeSaved, renewsByItself, type Wish } from './charge-saved.ts';
import type { PaymentDeps } from './deps.ts';
import { openPayment } from './open-payment.ts';
import { processEvent } from './provider-event.ts';
import { settleRefund } from './refunds.ts';
import { saveMethod } from './saved-methods.ts';
import { takeDelivery } from './take-delivery.ts';

/** What other modules and the jobs ask of payment. */
export function createPayment(deps: PaymentDeps) {
  return {
    /** Methods that an order in this currency can be paid with here. */
    methods: (currency: string) =>
      Object.values(deps.gateways)
        .filter(gateway => gateway.takes(currency))
        .map(({ method, renewsByItself }) => ({ method, renewsByItself })),
    open: (invoiceId: string, method: PaymentMethod) => openPayment(deps, invoiceId, method),
    ask: (invoiceId: string) => askInvoice(deps, invoiceId),
    close: (invoiceId: string) => closeInvoice(deps, invoiceId),
    charge: (invoiceId: string, wish: Wish) => chargeSaved(deps, invoiceId, wish),
    renewsByItself: (tx: Db, of: { customerId: string; subscriptionId: string }) =>
      renewsByItself(deps, tx, of),
    askAttempt: (attemptId: string) => askAttempt(deps, attemptId),
    settleRefund: (refundId: string) => settleRefund(deps, refundId),
    saveMethod: (attemptId: string, customerId: string) => saveMethod(deps, attemptId, customerId),
    /** Providers that tell of what happened there. */
    providers: () => new Set<string>(Object.values(deps.gateways).map(({ provider }) => provider)),
    takeDelivery: (provider: string, body: Buffer, headers: Record<string, string | string[] | undefined>) =>
      takeDelivery(deps, provider, body, headers),
    processEvent: (provider: string, eventId: string) => processEvent(deps, provider, eventId),
  };
}
export type Payment = ReturnType<typeof createPayment>;
