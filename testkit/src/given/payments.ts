import { liveBus } from '@fixpoint/api/adapters/postgres-bus.ts';
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

/** A card as Stripe describes it. */
export const CARD = {
  ref: 'pm',
  fingerprint: 'f',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 1,
  expiryYear: 2030,
};

const NEXT_ACTION = { kind: 'card' as const, ref: 'pi_1' };

const PROVIDERS = { card: 'stripe', promptpay: 'stripe', bitcoin: 'btcpay', paypal: 'paypal' };

/** A gateway that answers what a test sets in `answers` and `refunds`, and records its calls. */
function fakeGateway(method: PaymentMethod, unapplied: 'refund' | 'credit') {
  const calls: string[] = [];
  /** Merged into every answer about a payment. With `unknown` the provider does not find the payment. */
  const answers: Partial<Reported> & { unknown?: boolean } = {};
  const refunds: { answers: ReportedRefund | 'unknown' } = { answers: 'unknown' };
  const reported = ({ number, currency, amount }: AttemptRef): Reported => ({
    ref: `${method}_${number}`,
    state: 'open',
    currency,
    amount,
    received: 0,
    nextAction: NEXT_ACTION,
    ...answers,
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
      return answers.unknown ? 'unknown' : reported(attempt);
    },
    close: async (attempt: AttemptRef) => {
      calls.push(`close ${attempt.number}`);
      return { ...reported(attempt), state: 'closed', nextAction: undefined };
    },
    refund: async ({ amount, paymentRef }: RefundRef) => {
      calls.push(`refund ${amount} of ${paymentRef}`);
      return { ref: 're_1', state: 'pending' };
    },
    askRefund: async () => {
      calls.push('askRefund');
      return refunds.answers;
    },
    forget: async (savedRef: string) => void calls.push(`forget ${savedRef}`),
  } as unknown as PaymentGateway;
  return { gateway, calls, answers, refunds };
}

/**
 * The payment module on the rows of `givenInvoices`, with fake gateways for cards, PayPal and bitcoin.
 * @example const payments = await givenPayments();
 * payments.card.answers.state = 'succeeded';
 * await payments.openPayment(await payments.invoices.draftInvoice());
 */
export async function givenPayments() {
  const invoices = await givenInvoices();
  const card = fakeGateway('card', 'refund');
  const bitcoin = fakeGateway('bitcoin', 'credit');
  // PayPal takes money by our call alone.
  const paypal = fakeGateway('paypal', 'refund');
  Object.assign(paypal.gateway, { close: undefined, capture: paypal.gateway.ask });
  /** Events about invoices, the oldest first. */
  const events: InvoiceEvent[] = [];
  const jobs: { name: string; data: Record<string, unknown> }[] = [];
  /** Customers who have set a default payment method, which renewals are charged to. */
  const renewalsCharged: string[] = [];
  /** Subscriptions whose payment was disputed, and whose dispute was resolved. */
  const disputes: [subscription: string, disputed: boolean][] = [];
  const publish = async (_: unknown, event: InvoiceEvent | PaymentEvent) => {
    if (event.type === 'defaultMethodSet') renewalsCharged.push(event.customerId);
    else if (event.type === 'paymentDisputed' || event.type === 'disputeResolved')
      disputes.push([event.subscriptionId, event.type === 'paymentDisputed']);
    else events.push(event);
  };
  const enqueue = async (_: unknown, name: string, data: Record<string, unknown>) =>
    void jobs.push({ name, data });
  const enqueueAll = async (_: unknown, name: string, all: Record<string, unknown>[]) =>
    void jobs.push(...all.map(data => ({ name, data })));
  const deps = {
    db: invoices.hosts.db,
    clock: invoices.hosts.clock,
    scale: 1,
    unsupportedDebitIssuers: [],
    isBlocked: async () => false,
    jobs: { enqueue, enqueueAll },
    live: liveBus,
    gateways: { card: card.gateway, bitcoin: bitcoin.gateway, paypal: paypal.gateway },
    limits: {
      read: async (...names: string[]) => names.map(() => ({ count: 0, endsIn: 0 })),
      hit: async () => ({ count: 1, endsIn: 0 }),
      release: async () => undefined,
    },
    holdActive: async () => true,
    publish,
  } as unknown as PaymentDeps;
  const all = () => invoices.hosts.all;
  return {
    invoices,
    card,
    bitcoin,
    paypal,
    deps,
    events,
    jobs,
    renewalsCharged,
    disputes,
    run: <T>(work: () => Promise<T>) => asApplication(work),
    /** `await payments.openPayment(invoiceId, 'paypal')` starts an attempt to collect an invoice. */
    openPayment: (invoice: string, method: PaymentMethod = 'card', saved?: { id: string; most?: number }) =>
      asApplication(() => openPayment(deps, invoice, method, saved)),
    attempts: () => all().selectFrom('attempt').selectAll().orderBy('attempt_no').execute(),
    refunds: () => all().selectFrom('refund').selectAll().orderBy('created_at').execute(),
    /** The first attempt, or the one with that number. */
    async attempt(number = 1) {
      const where = all().selectFrom('attempt').selectAll().where('attempt_no', '=', number);
      return where.executeTakeFirstOrThrow();
    },
    /** The kinds of the open alerts, sorted. */
    alerts: async () =>
      (await asApplication(() => listAlerts(invoices.hosts.db))).map(({ kind }) => kind).sort(),
    /** Amount of each account in the ledger entries whose transaction starts with `txn`. */
    async ledgerSums(txn: string) {
      const entries = await all()
        .selectFrom('ledger_entry')
        .select(['account', 'amount'])
        .where('txn', 'like', `${txn}%`)
        .execute();
      return Object.fromEntries(entries.map(({ account, amount }) => [account, amount]));
    },
    /** `await payments.saveCard()` saves a default card of the owner, and returns its id. */
    async saveCard(id = 'met_1') {
      const { customerId } = invoices.owner;
      const gatewayCustomer = {
        id: 'pay_1',
        customer_id: customerId,
        provider: 'stripe' as const,
        created_at: invoices.now(),
      };
      await all()
        .insertInto('gateway_customer')
        .values(gatewayCustomer)
        .onConflict(conflict => conflict.doNothing())
        .execute();
      await all()
        .insertInto('saved_method')
        .values({
          id,
          customer_id: customerId,
          gateway_customer_id: gatewayCustomer.id,
          method: 'card',
          provider_ref: `pm_${id}`,
          fingerprint: id,
          brand: 'visa',
          last4: '4242',
          expiry_month: 12,
          expiry_year: 2030,
          is_default: true,
          created_at: invoices.now(),
          consented_at: invoices.now(),
          consent: { version: '1', language: 'en', text: 'yes' },
        })
        .execute();
      return id;
    },
  };
}
export type GivenPayments = Awaited<ReturnType<typeof givenPayments>>;
