import { liveBus } from '../../adapters/postgres-bus.ts';
import { readProviderEnv } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { unclaimedPayment } from '../../modules/checkout/index.ts';
import {
  bookDashboardRefund,
  bookLostCoins,
  bookOutOfBandRefund,
  failedRefund,
  NotRefundable,
  planDashboardRefund,
  planLostCoins,
  planOutOfBandRefund,
  planRefund,
  planRetry,
  refundInvoice,
  requireBooked,
  requirePlanCode,
  retryRefund,
} from '../../modules/payment/index.ts';
import { ownerOf } from '../../modules/staff/index.ts';
import { suspend } from '../../modules/subscription/index.ts';
import { undisplayableIn } from '../undisplayable-texts.ts';
import { requireUnits } from './amounts.ts';
import { askedBooks } from './asked-books.ts';
import type { HandlersOf, Work } from './handler.ts';

export const handlers: HandlersOf<'refund'> = {
  invoice: {
    async plan({ db, clock, source }, { input, reason }) {
      const { invoice, amount, credit: asCredit, byHand } = input;
      if (asCredit && byHand) throw new InvalidInput('--by-hand books money: leave out --credit');
      requireShowable(reason);
      const plan = await planRefund({ db, clock }, invoice, { reason, amount, asCredit, byHand });
      if (!asCredit) await requireBooked(db, await askedBooks(source, clock), invoice);
      requireUnits(plan.currency, plan.amount);
      return { plan: { ...plan, reason } };
    },
    async execute({ db, clock, jobs, note }, { input, reason }, { code, number, currency, amount }) {
      const { credit: asCredit, byHand } = input;
      const asked = { reason, amount: input.amount, asCredit, byHand };
      const { creditNote } = await refundInvoice({ db, clock, jobs: await jobs() }, number, asked, code);
      const customerId = await ownerOf(db, number);
      note({ subject: number, customerId, after: { currency, amount, creditNote, asCredit, byHand } });
      return { number, currency, amount, creditNote };
    },
  },

  due: {
    async plan({ db }, { input: { subject, writeOff }, reason }) {
      if (isCoins(subject)) {
        if (!writeOff) throw new InvalidInput(`${subject} can only be written off: --write-off`);
        const coins = await planCoins(db, subject);
        const { invoice: coinsOf, lost: amount, currency, code } = coins;
        return { plan: { subject, currency, amount, reason, coinsOf, code } };
      }
      const end = { reason, writtenOff: writeOff };
      const { currency, amount, code } = await planOutOfBandRefund(db, finderOf(subject), subject, end);
      return { plan: { subject, currency, amount, reason, code } };
    },
    async execute(work, { input: { subject, writeOff }, reason }, { code, ...plan }) {
      const { db, clock, jobs, note } = work;
      const end = { reason, writtenOff: writeOff };
      if (isCoins(subject)) await bookCoins(work, subject, code);
      else
        await bookOutOfBandRefund({ db, clock, jobs: await jobs() }, finderOf(subject), subject, end, code);
      const { currency, amount, coinsOf } = plan;
      note({ subject, customerId: await ownerOf(db, subject), after: { currency, amount, writeOff } });
      return { subject, currency, amount, ...(coinsOf && { coinsOf }) };
    },
  },

  book: {
    async plan({ db, clock, source }, { input: { invoice, made: ref, amount }, reason }) {
      requireShowable(reason);
      const providers = await askedBooks(source, clock);
      const plan = await planDashboardRefund({ db, providers }, invoice, { ref, amount, reason });
      return { plan: { ...plan, number: invoice, ref, amount, reason } };
    },
    async execute({ db, clock, jobs, source, note }, { input, reason }, { code, currency }) {
      const { invoice: number, made: ref, amount } = input;
      const deps = { db, clock, jobs: await jobs(), providers: await askedBooks(source, clock) };
      await bookDashboardRefund(deps, number, { ref, amount, reason }, code);
      const customerId = await ownerOf(db, number);
      note({ subject: number, customerId, after: { ref, currency, amount } });
      return { number, ref, currency, amount };
    },
  },

  again: {
    plan: async ({ db }, { input: { refund } }) => ({ plan: { refund, ...(await planRetry(db, refund)) } }),
    async execute({ db, clock, jobs, note }, _, { refund, currency, amount }) {
      await retryRefund({ db, clock, jobs: await jobs() }, refund);
      note({ subject: refund, customerId: await ownerOf(db, refund), after: { currency, amount } });
      return { refund, currency, amount };
    },
  },
};

/** The reason is printed on the credit note. */
function requireShowable(reason: string): void {
  const unseen = undisplayableIn(reason);
  if (unseen) throw new InvalidInput(`--reason: the credit note cannot show ${unseen}. Write it without`);
}

const finderOf = (subject: string) => (subject.startsWith('inv_') ? unclaimedPayment : failedRefund);

const isCoins = (subject: string): boolean => subject.startsWith('att_');

async function planCoins(db: Work['db'], attemptId: string) {
  const plan = await planLostCoins(db, attemptId);
  if (!plan) throw new NotRefundable(`no coins of ${attemptId} are gone that are not booked yet`);
  return plan;
}

/** Books coins that a longer chain took back, as a dispute that was lost. */
async function bookCoins({ db, clock, source, jobs: open }: Work, attemptId: string, code: string) {
  const plan = await planCoins(db, attemptId);
  requirePlanCode(plan, code);
  const disputedService = readProviderEnv(source)?.DISPUTED_SERVICE;
  if (!disputedService) throw new InvalidInput('The settings of the payment gateways are missing');
  const jobs = await open();
  await bookLostCoins(
    {
      db,
      clock,
      jobs,
      publish: async (tx, event) => {
        if (event.type !== 'paymentDisputed' || disputedService === 'keep') return;
        await suspend({ clock, jobs, live: liveBus }, tx, event.subscriptionId, { cause: 'dispute' });
      },
    },
    plan,
  );
}
