import { takesAmount } from '@fixpoint/domain/payment/amount-limits.ts';
import { z } from 'zod';
import {
  type AttemptRef,
  nothingMade,
  type PaymentGateway,
  type Reported,
} from '../../ports/payment-gateway.ts';
import { money, satoshiOf } from './amounts.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { CHAIN } from './objects.ts';
import { createRates, priceNow } from './rates.ts';
import { describedBy, nameOfRefund, readMethod, readPayment, readRefund, readRefunds } from './read.ts';
import { moreThanLeft, refusedRefund } from './refund-refusals.ts';
import { type BtcpayInvoice, invoiceShape, pullPaymentShape } from './shapes.ts';
import { webhookEventsOf } from './webhook.ts';

const BITCOIN = satoshiOf('1');
/** Time for which one exchange rate is offered. */
const OFFER_MINUTES = 15;
/**
 * A transaction with a low fee may wait for days; its confirmation still settles the invoice for
 * this long.
 */
const MONITORING_MINUTES = 7 * 24 * 60;

/**
 * Bitcoin at a BTCPay Server: an invoice with its own address and a fixed rate. BTCPay creates a
 * second one for a repeated call, so it is looked up by the key of the attempt first.
 */
export function createBitcoin(client: BtcpayClient): PaymentGateway {
  const { ask, askStore, settings } = client;
  const rates = createRates(client);

  /** Reports an invoice that the store refuses to create; without a rate, the payer chooses another method. */
  async function notMade(attempt: AttemptRef, error: unknown): Promise<Reported> {
    const isFinal = error instanceof BtcpayRefusal && (error.status === 400 || error.status === 422);
    if (!isFinal) throw error;
    const field = (await rates.recheck(attempt.currency)) ? undefined : 'paymentMethod';
    return { ...nothingMade(attempt), notMade: { field, cause: error } };
  }

  const reported = (invoice: BtcpayInvoice) => readPayment(client, invoice);
  const retrieve = async (ref: string) => reported(await askStore(invoiceShape, `invoices/${ref}`));

  /**
   * Finds the invoice by the key of the attempt. The first one counts if a lost answer led to two.
   */
  async function find({ key }: AttemptRef): Promise<Reported | 'unknown'> {
    const found = await askStore(z.array(invoiceShape), `invoices?orderId=${encodeURIComponent(key)}`);
    const first = found.at(-1);
    return first ? reported(first) : 'unknown';
  }

  return {
    method: 'bitcoin',
    provider: 'btcpay',
    renewsByItself: false,
    unapplied: 'credit',
    // The store's rates decide; its operator can add missing ones.
    takes(currency, amount) {
      const bitcoin = rates.priceOf(currency);
      return bitcoin !== 0 && takesAmount('bitcoin', currency, amount, { minimumByCard: 0, bitcoin });
    },
    learn: currency => rates.learn(currency),

    async start(attempt) {
      const before = await find(attempt);
      if (before !== 'unknown') return before;
      const made = askStore(invoiceShape, 'invoices', {
        amount: money(attempt.amount),
        currency: attempt.currency,
        metadata: {
          orderId: attempt.key,
          attemptId: attempt.id,
          invoiceId: attempt.invoiceId,
          itemDesc: attempt.invoiceReference,
        },
        checkout: {
          // One confirmation.
          speedPolicy: 'MediumSpeed',
          paymentMethods: [CHAIN],
          expirationMinutes: OFFER_MINUTES,
          monitoringMinutes: MONITORING_MINUTES,
          paymentTolerance: 0,
        },
      });
      return made.then(reported, error => notMade(attempt, error));
    },

    ask: attempt => (attempt.providerRef ? retrieve(attempt.providerRef) : find(attempt)),

    async close({ providerRef }) {
      if (!providerRef) return 'unknown';
      const now = await retrieve(providerRef);
      // Coins that were seen are on their way and cannot be stopped.
      if (now.state !== 'open') return now;
      try {
        await askStore(invoiceShape, `invoices/${providerRef}/status`, { status: 'Invalid' });
      } catch (error) {
        // Its state does not allow it: paid or expired meanwhile. Read the current state.
        if (!(error instanceof BtcpayRefusal)) throw error;
      }
      return retrieve(providerRef);
    },

    async prices({ providerRef, currency }) {
      const { rate } = await readMethod(client, providerRef!);
      const then = rate.worth(BITCOIN);
      // Without a rate nobody knows better.
      return { then, now: (await priceNow(client, currency)) || then };
    },

    async refund(refund) {
      const all = await readRefunds(client);
      const made = all.find(({ name }) => name === nameOfRefund(refund.id));
      if (made) return readRefund(client, made);
      // BTCPay would refund more than was paid.
      const { received } = await retrieve(refund.paymentRef);
      const given = all.reduce(
        (sum, one) =>
          one.description === describedBy(refund.paymentRef) && !one.archived ? sum + one.amount : sum,
        0,
      );
      if (given + refund.amount > received) return moreThanLeft;
      const pull = askStore(pullPaymentShape, `invoices/${refund.paymentRef}/refund`, {
        name: nameOfRefund(refund.id),
        description: describedBy(refund.paymentRef),
        // Accepted by every version from 2.0; the list that 2.4.1 describes instead is ignored by
        // earlier ones.
        payoutMethodId: CHAIN,
        refundVariant: 'Custom',
        customAmount: money(refund.amount),
        customCurrency: refund.currency,
      });
      return pull.then(one => readRefund(client, one), refusedRefund);
    },

    async askRefund(refund) {
      if (refund.providerRef) {
        return readRefund(client, await ask(pullPaymentShape, `pull-payments/${refund.providerRef}`));
      }
      const made = (await readRefunds(client)).find(({ name }) => name === nameOfRefund(refund.id));
      return made ? readRefund(client, made) : 'unknown';
    },

    readWebhook: async (body, headers) => webhookEventsOf(settings, body, headers['btcpay-sig']),
  };
}
