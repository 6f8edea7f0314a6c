import { accounted, accountOf, markable } from './account.ts';
import { bitcoins, money, worthOf } from './amounts.ts';
import type { BtcpayState, Invoice, Payment, Payout, PullPayment } from './state.ts';

/** The store's only payment method: on-chain, no Lightning. */
const CHAIN = 'BTC-CHAIN';
const MINUTE = 60;

/** Invoice in API form (InvoiceData of BTCPay 2.4). */
export function invoiceModel(state: BtcpayState, invoice: Invoice): object {
  const { wanted, paid } = accountOf(invoice);
  return {
    id: invoice.id,
    storeId: state.storeId,
    amount: money(invoice.price),
    // An exact payment is worth slightly more than the price, by rounding; BTCPay shows the price
    // then.
    paidAmount: paid === wanted ? money(invoice.price) : money(worthOf(paid, invoice.rate)),
    currency: invoice.currency,
    type: 'Standard',
    checkoutLink: `${state.origin()}/i/${invoice.id}`,
    createdTime: invoice.createdAt,
    expirationTime: invoice.expiresAt,
    monitoringExpiration: invoice.monitoredUntil,
    status: invoice.status,
    additionalStatus: invoice.additionalStatus,
    availableStatusesForManualMarking: markable(invoice),
    archived: false,
    metadata: invoice.metadata,
    checkout: {
      speedPolicy: 'MediumSpeed',
      paymentMethods: [CHAIN],
      defaultPaymentMethod: null,
      expirationMinutes: (invoice.expiresAt - invoice.createdAt) / MINUTE,
      monitoringMinutes: (invoice.monitoredUntil - invoice.expiresAt) / MINUTE,
      paymentTolerance: 0,
      redirectURL: null,
      redirectAutomatically: false,
      defaultLanguage: null,
      lazyPaymentMethods: null,
      ...invoice.checkout,
    },
    receipt: { enabled: null, showQR: null, showPayments: null },
  };
}

export const paymentModel = ({ address }: Invoice, payment: Payment): object => ({
  id: payment.id,
  receivedDate: payment.receivedAt,
  value: bitcoins(payment.satoshi),
  fee: '0',
  status: payment.status,
  destination: address,
});

/** Payment methods of an invoice, with payments. */
export function paymentMethodModels(invoice: Invoice, onlyAccounted: boolean): object[] {
  const { wanted, paid, due } = accountOf(invoice);
  const shown = onlyAccounted ? accounted(invoice) : invoice.payments;
  return [
    {
      paymentMethodId: CHAIN,
      currency: 'BTC',
      destination: invoice.address,
      paymentLink: `bitcoin:${invoice.address}?amount=${bitcoins(Math.max(due, 0))}`,
      rate: money(invoice.rate),
      paymentMethodPaid: bitcoins(paid),
      totalPaid: bitcoins(paid),
      due: bitcoins(due),
      amount: bitcoins(wanted),
      paymentMethodFee: '0',
      payments: shown.map(payment => paymentModel(invoice, payment)),
      activated: true,
      additionalData: {
        keyPath: null,
        payjoinEnabled: false,
        accountDerivation: null,
        recommendedFeeRate: '1.5',
        paymentMethodFeeRate: '0',
      },
    },
  ];
}

export const pullPaymentModel = (state: BtcpayState, pull: PullPayment): object => ({
  id: pull.id,
  name: pull.name,
  description: pull.description,
  currency: pull.currency,
  amount: money(pull.amount),
  startsAt: pull.createdAt,
  expiresAt: null,
  BOLT11Expiration: 30,
  archived: pull.archived,
  autoApproveClaims: false,
  viewLink: `${state.origin()}/pull-payments/${pull.id}`,
});

export const payoutModel = (pull: PullPayment, payout: Payout): object => ({
  id: payout.id,
  revision: 0,
  pullPaymentId: pull.id,
  date: payout.createdAt,
  destination: payout.destination,
  originalCurrency: pull.currency,
  originalAmount: money(payout.amount),
  payoutCurrency: 'BTC',
  payoutAmount: null,
  payoutMethodId: CHAIN,
  state: payout.state,
  paymentProof: null,
  metadata: {},
});

/** The store's webhook in API form. */
export const webhookModel = (url: string) => ({
  id: 'home',
  enabled: true,
  automaticRedelivery: true,
  url,
  authorizedEvents: { everything: true, specificEvents: [] },
});
