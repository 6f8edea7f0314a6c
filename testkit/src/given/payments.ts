import { asApplication } from '@fixpoint/api/database/scope.ts';
import { listAlerts } from '@fixpoint/api/modules/alert/index.ts';
import type { InvoiceEvent } from '@fixpoint/api/modules/billing/index.ts';
import { openPayment } from '@fixpoint/api/modules/payment/attempt/open-payment.ts';
import type { PaymentDeps, PaymentEvent } from '@fixpoint/api/modules/payment/deps.ts';
import type {
  AttemptRef,
  PaymentGateway,
  PaymentMethod,
  RefundRef,
  Reported,
  ReportedRefund,
} from '@fixpoint/api/ports/payment-gateway.ts';
import { givenInvoices } from './invoices.ts';

/** A card as its provider names it. */
export const CARD = {
  ref: 'pm',
  fingerprint: 'f',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 1,
  expiryYear: 2030,
};

const PAYABLE = { kind: 'confirm' as const, clientSecret: 'secret', requiresAction: false };

const PROVIDERS = { card: 'stripe', promptpay: 'stripe', bitcoin: 'btcpay', paypal: 'paypal' };

/** A provider that says what a test wants of every payment, and remembers what it was called for. */
function standIn(method: PaymentMethod, unapplied: 'refund' | 'credit') {
  const calls: string[] = [];
  /** Of a payment; `lost`: no answer comes. */
  const says: Partial<Reported> & { unknown?: boolean } = {};
  const refunds: { says: ReportedRefund | 'unknown' } = { says: 'unknown' };
  const reported = ({ number, currency, amount }: AttemptRef): Reported => ({
    ref: `${method}_${number}`,
    state: 'open',
    currency,
    amount,
    received: 0,
    payable: PAYABLE,
    ...says,
  });
  const gateway = {
    method,
    provider: PROVIDERS[method],
    unapplied,
    renewsByItself: unapplied === 'refund',
    takes: () => true,
    start: async (attempt: AttemptRef) => {
      calls.push(`start ${attempt.number} ${attempt.savedRef ?? ''}`.trim());
      return reported(attempt);
    },
    ask: async (attempt: AttemptRef) => {
      calls.push(`ask ${attempt.number}`);
      return says.unknown ? 'unknown' : reported(attempt);
    },
    close: async (attempt: AttemptRef) => {
      calls.push(`close ${attempt.number}`);
      return { ...reported(attempt), state: 'closed', payable: undefined };
    },
    refund: async ({ amount, paymentRef }: RefundRef) => {
      calls.push(`refund ${amount} of ${paymentRef}`);
      return { ref: 're_1', state: 'pending' };
    },
    askRefund: async () => {
      calls.push('askRefund');
      return refunds.says;
    },
    forget: async (savedRef: string) => void calls.push(`forget ${savedRef}`),
  } as unknown as PaymentGateway;
  return { gateway, calls, says, refunds };
}

/** Payments of a customer's invoices, as rows, with providers that say what the test wants. */
export async function givenPayments() {
  const rows = await givenInvoices();
  const card = standIn('card', 'refund');
  const bitcoin = standIn('bitcoin', 'credit');
  // No money of it comes but by our own call.
  const paypal = standIn('paypal', 'refund');
  Object.assign(paypal.gateway, { close: undefined, capture: paypal.gateway.ask });
  /** What became of invoices. */
  const events: InvoiceEvent[] = [];
  const jobs: { name: string; data: Record<string, unknown> }[] = [];
  /** Customers whose renewals are to be charged by what they have just set up. */
  const charged: string[] = [];
  /** Subscriptions whose payment is disputed, or is no more. */
  const disputed: [subscription: string, disputed: boolean][] = [];
  const publish = async (_: unknown, event: InvoiceEvent | PaymentEvent) => {
    if (event.type === 'defaultMethodSet') charged.push(event.customerId);
    else if (event.type === 'paymentDisputed' || event.type === 'disputeResolved')
      disputed.push([event.subscriptionId, event.type === 'paymentDisputed']);
    else events.push(event);
  };
  const enqueue = async (_: unknown, name: string, data: Record<string, unknown>) =>
    void jobs.push({ name, data });
  const enqueueAll = async (_: unknown, name: string, all: Record<string, unknown>[]) =>
    void jobs.push(...all.map(data => ({ name, data })));
  const deps = {
    db: rows.places.db,
    clock: rows.places.clock,
    scale: 1,
    jobs: { enqueue, enqueueAll },
    gateways: { card: card.gateway, bitcoin: bitcoin.gateway, paypal: paypal.gateway },
    limits: {
      read: async (...names: string[]) => names.map(() => ({ count: 0, endsIn: 0 })),
      hit: async () => ({ count: 0, endsIn: 0 }),
    },
    holdActive: async () => true,
    publish,
  } as unknown as PaymentDeps;
  const all = () => rows.places.all;
  return {
    rows,
    card,
    bitcoin,
    paypal,
    deps,
    events,
    jobs,
    charged,
    disputed,
    run: <T>(work: () => Promise<T>) => asApplication(work),
    open: (invoice: string, method: PaymentMethod = 'card', saved?: { id: string; most?: number }) =>
      asApplication(() => openPayment(deps, invoice, method, saved)),
    attempts: () => all().selectFrom('attempt').selectAll().orderBy('attempt_no').execute(),
    refunds: () => all().selectFrom('refund').selectAll().orderBy('created_at').execute(),
    async attempt(number = 1) {
      const where = all().selectFrom('attempt').selectAll().where('attempt_no', '=', number);
      return where.executeTakeFirstOrThrow();
    },
    alerts: async () =>
      (await asApplication(() => listAlerts(rows.places.db))).map(({ kind }) => kind).sort(),
    async booked(txn: string) {
      const entries = await all()
        .selectFrom('ledger_entry')
        .select(['account', 'amount'])
        .where('txn', 'like', `${txn}%`)
        .execute();
      return Object.fromEntries(entries.map(({ account, amount }) => [account, amount]));
    },
    /** A card that its customer keeps, and is charged by. */
    async keepCard(id = 'met_1') {
      const { customerId } = rows.owner;
      const payer = {
        id: 'pay_1',
        customer_id: customerId,
        provider: 'stripe' as const,
        created_at: rows.now(),
      };
      await all()
        .insertInto('gateway_customer')
        .values(payer)
        .onConflict(conflict => conflict.doNothing())
        .execute();
      await all()
        .insertInto('saved_method')
        .values({
          id,
          customer_id: customerId,
          gateway_customer_id: payer.id,
          method: 'card',
          provider_ref: `pm_${id}`,
          fingerprint: id,
          brand: 'visa',
          last4: '4242',
          expiry_month: 12,
          expiry_year: 2030,
          is_default: true,
          created_at: rows.now(),
          consented_at: rows.now(),
          consent: { version: '1', language: 'en', text: 'yes' },
        })
        .execute();
      return id;
    },
  };
}
export type GivenPayments = Awaited<ReturnType<typeof givenPayments>>;
