import type { Caller } from '../../kernel/caller.ts';
import type { Db } from '../../ports/database.ts';
import { canBeCharged, type Provider } from '../../ports/payment-gateway.ts';
import { isPaymentOnItsWay } from '../billing/index.ts';
import {
  askAttempt,
  askInvoice,
  type Begun,
  beginAttempt,
  chargeSaved,
  closeInvoice,
  countFor,
  fallenPrice,
  isOnItsWay,
  meansOf,
  type Paying,
  pay,
  payByCard,
} from './attempt/index.ts';
import { type Admitted, admitTry, markDevice, namesOfCard } from './card-testing.ts';
import type { PaymentDeps } from './deps.ts';
import { creditEarlierLosses, followDispute } from './dispute/index.ts';
import { type PayLinkDeps, payTokenFor } from './pay-link/index.ts';
import { followRefund, refundAsks } from './refund/index.ts';
import {
  type CardChoice,
  collectionMethodOf,
  forgetMethod,
  forgetUnsaved,
  saveMethod,
  type UsableCard,
  usableCard,
  willBeCharged,
} from './saved-method/index.ts';
import { processEvent, receiveWebhook } from './webhook-event/index.ts';

/** The functions that other modules and jobs use. */
export function createPayment(deps: PaymentDeps & Pick<PayLinkDeps, 'payLinkSeal'>) {
  return {
    methods: (currency: string, amount?: number) => methodsFor(deps, currency, amount),
    /** Token of the link that pays an invoice without a login. */
    payToken: (invoiceId: string) => payTokenFor(deps.payLinkSeal, invoiceId),
    /** Whether any method takes an amount. */
    takes: (currency: string, amount: number) =>
      Object.values(deps.gateways).some(gateway => gateway.takes(currency, amount)),
    /** Resolves the customer's choice of a card or account. */
    meansOf: (customerId: string, chosen: Parameters<typeof meansOf>[2]) => meansOf(deps, customerId, chosen),
    /** Begins the attempt of an invoice in the transaction that drafts it; `pay` continues with it. */
    begin: (tx: Db, paying: Paying) => beginAttempt(deps, tx, paying),
    pay: (paying: Paying, begun: Begun) => pay(deps, paying, begun),
    /** A card that may pay. */
    usableCard: (choice: CardChoice) => usableCard(deps, choice),
    /** Pays an open payment by a card whose decline is counted under the names. */
    async payByCard(invoiceId: string, card: UsableCard, admitted: Admitted) {
      await countFor(deps, invoiceId, namesOfCard(admitted.names, card));
      return payByCard(deps, invoiceId, card, admitted);
    },
    /** Whether a card may be tried. */
    admitTry: (tried: Parameters<typeof admitTry>[1], caller: Caller) => admitTry(deps, tried, caller),
    markDevice: (caller: Caller) => void markDevice(caller),
    ask: (invoiceId: string) => askInvoice(deps, invoiceId),
    close: (invoiceId: string) => closeInvoice(deps, invoiceId),
    isOnItsWay: (tx: Db, invoiceId: string) => isOnItsWay(deps, tx, invoiceId),
    isPaidOnItsWay: (tx: Db, invoiceId: string) => isOnItsWay(deps, tx, invoiceId, isPaymentOnItsWay),
    fallenPrice: (invoiceId: string) => fallenPrice(deps, invoiceId),
    charge: (invoiceId: string, most: number) => chargeSaved(deps, invoiceId, most),
    /** How the renewal of a subscription is paid. */
    collectionMethod: (tx: Db, of: { customerId: string; subscriptionId: string }) =>
      collectionMethodOf(deps, tx, of),
    /** Whether a method can be charged while its owner is away. */
    canBeCharged: canBeCharged(deps.gateways),
    /** Whether the renewal after a payment will be charged by us. */
    willBeCharged: (db: Db, of: { customerId: string; subscriptionId: string }) =>
      willBeCharged(deps, db, of),
    askAttempt: (attemptId: string) => askAttempt(deps, attemptId),
    followRefund: (refundId: string) => followRefund(deps, refundId),
    refundAsks: (refundId: string) => refundAsks(deps, refundId),
    followDispute: (provider: Provider, ref: string) => followDispute(deps, provider, ref),
    creditEarlierLosses: (tx: Db, invoiceId: string) =>
      creditEarlierLosses(deps, tx, deps.clock.now(), invoiceId),
    saveMethod: (attemptId: string, customerId: string) => saveMethod(deps, attemptId, customerId),
    forgetUnsaved: (attemptId: string) => forgetUnsaved(deps, attemptId),
    forgetMethod: (methodId: string) => forgetMethod(deps, methodId),
    /** Gateways that send webhooks. */
    providers: () => new Set<string>(Object.values(deps.gateways).map(({ provider }) => provider)),
    receiveWebhook: (
      provider: string,
      body: Buffer,
      headers: Record<string, string | string[] | undefined>,
      network: string,
    ) => receiveWebhook(deps, provider, { body, headers, network }),
    processEvent: (provider: string, eventId: string) => processEvent(deps, provider, eventId),
  };
}

/** Methods that this amount, or without it an order in this currency, can be paid with here. */
export async function methodsFor({ gateways: known }: PaymentDeps, currency: string, amount?: number) {
  const gateways = Object.values(known);
  await Promise.all(gateways.map(gateway => gateway.learn?.(currency)));
  return gateways
    .filter(gateway => gateway.takes(currency, amount))
    .map(({ method, renewsByItself }) => ({ method, renewsByItself }));
}

export type Payment = ReturnType<typeof createPayment>;
