import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountOf } from '../btcpay/account.ts';
import { worthOf } from '../btcpay/amounts.ts';
import type { Btcpay } from '../btcpay/btcpay.ts';
import { movePayments, receive, watch } from '../btcpay/invoices.ts';
import { bitcoinAmount, moneyAmount } from '../btcpay/params.ts';
import { claim, settlePayouts } from '../btcpay/pull-payments.ts';
import type { BtcpayWorld, Invoice, Payment } from '../btcpay/world.ts';
import { missing } from './missing.ts';

/** What BTCPay holds to be true about money, oldest first. Amounts in the minor unit of the invoice's currency. */
export type BtcpayLedger = {
  invoices: {
    invoice: string;
    address: string;
    status: string;
    currency: string;
    price: number;
    /** What is confirmed, and what is still on its way; a bitcoin is worth what it was when the invoice was made. */
    settled: number;
    pending: number;
    metadata: Record<string, unknown>;
  }[];
  refunds: {
    pullPayment: string;
    invoice: string;
    name: string;
    currency: string;
    amount: number;
    paid: number;
    archived: boolean;
  }[];
};

const ofInvoice = z.object({ invoice: z.string() });
const ofPayment = z.strictObject({ invoice: z.string(), payment: z.string().optional() });

/** Mounts `/_sbx/btcpay/*`: the buyer's wallet, the miners, the rates, the operator who pays refunds. */
export function mountBtcpayControl(control: FastifyInstance, { world, deliveries }: Btcpay): void {
  const post = <S extends z.ZodType>(path: string, schema: S, run: (given: z.output<S>) => unknown) =>
    control.post(
      `/_sbx/btcpay/${path}`,
      async request => (await run(schema.parse(request.body ?? {}))) ?? { ok: true },
    );
  const invoiceOf = ({ invoice }: { invoice: string }): Invoice =>
    world.invoices.get(invoice) ?? missing('invoice', invoice);
  const pullOf = ({ pullPayment }: { pullPayment: string }) =>
    world.pullPayments.get(pullPayment) ?? missing('pull payment', pullPayment);

  post(
    'pay',
    ofInvoice.extend({ amount: bitcoinAmount.optional(), share: z.number().positive().optional() }).strict(),
    given => {
      const invoice = invoiceOf(given);
      const { wanted, due } = accountOf(invoice);
      const satoshi = given.amount ?? Math.round((given.share ?? 1) * (due > 0 ? due : wanted));
      return receive(world, invoice, satoshi);
    },
  );
  const move = (path: string, status: Payment['status'], from: Payment['status']) =>
    post(path, ofPayment, given =>
      movePayments(
        world,
        invoiceOf(given),
        status,
        ({ id, status: now }) => now === from && (given.payment === undefined || id === given.payment),
      ),
    );
  move('confirm', 'Settled', 'Processing');
  move('doubleSpend', 'Invalid', 'Processing');
  // A longer chain takes a block back, and with it what was confirmed there.
  move('reorganise', 'Processing', 'Settled');
  post('expire', ofInvoice.strict(), given =>
    watch(
      world,
      world.invoices.put(given.invoice, { ...invoiceOf(given), expiresAt: world.clock.seconds() }),
    ),
  );
  post('rate', z.strictObject({ currency: z.string(), rate: moneyAmount }), ({ currency, rate }) =>
    world.rates.put(currency, rate),
  );
  post('claim', z.strictObject({ pullPayment: z.string(), destination: z.string() }), given =>
    claim(world, pullOf(given), given.destination),
  );
  post(
    'payouts/settle',
    z.strictObject({ pullPayment: z.string(), outcome: z.enum(['Completed', 'Cancelled']) }),
    given => settlePayouts(world, pullOf(given), given.outcome),
  );
  post('redeliver', z.strictObject({ delivery: z.string() }), ({ delivery }) =>
    deliveries.redeliver(delivery),
  );
  control.get('/_sbx/btcpay/deliveries', async () => ({ deliveries: deliveries.all() }));
  control.get('/_sbx/btcpay/ledger', async () => ledger(world));
}

function ledger(world: BtcpayWorld): BtcpayLedger {
  const worth = ({ payments, rate }: Invoice, status: Payment['status']) =>
    worthOf(
      payments.reduce((sum, one) => (one.status === status ? sum + one.satoshi : sum), 0),
      rate,
    );
  return {
    invoices: world.invoices.all().map(invoice => ({
      invoice: invoice.id,
      address: invoice.address,
      status: invoice.status,
      currency: invoice.currency,
      price: invoice.price,
      settled: worth(invoice, 'Settled'),
      pending: worth(invoice, 'Processing'),
      metadata: invoice.metadata,
    })),
    refunds: world.pullPayments.all().map(({ id, payouts, ...pull }) => ({
      pullPayment: id,
      invoice: pull.invoice,
      name: pull.name,
      currency: pull.currency,
      amount: pull.amount,
      paid: payouts.reduce((sum, one) => (one.state === 'Completed' ? sum + one.amount : sum), 0),
      archived: pull.archived,
    })),
  };
}
