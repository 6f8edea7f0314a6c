import { asApplication } from '@fixpoint/api/database/scope.ts';
import {
  availableCredit,
  draftInvoice,
  issueCreditNote,
  lockInvoice,
  openRenewal,
  payInvoice,
} from '@fixpoint/api/modules/billing/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import type { CollectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import { givenHosts } from './hosts.ts';

const DAY_MS = 24 * 60 * 60_000;
export const PRICE = 199_00;
export const seller = { brand: 'Fixpoint', company: 'Fixpoint Ltd', address: 'Bangkok', taxId: '1' };
export const text = {
  kind: 'period' as const,
  plan: 'Solo',
  planId: 'solo',
  place: 'Bangkok',
  cycleCount: 1 as const,
};
export const line = { text, net: 185_98, vat: 13_02, vatRateBp: 700, total: PRICE };
const said = (lines = [line]) => ({
  currency: 'THB',
  lines,
  seller,
  language: 'en',
  buyer: { email: 'c1@example.com' },
});

/** Invoices of one customer with a subscription, as rows: no provider, no page. */
export async function givenInvoices() {
  const places = await givenHosts();
  const owner = await places.subscription();
  const now = () => places.clock.now();
  const inOne = <T>(work: (tx: Db) => Promise<T>): Promise<T> => places.inOne(work);
  const look = <T>(work: (db: Db) => Promise<T>): Promise<T> => asApplication(() => work(places.db));
  /** So many months ahead. */
  const period = (months = 0) => ({
    start: new Date(now().getTime() + (1 + months * 30) * DAY_MS),
    end: new Date(now().getTime() + (31 + months * 30) * DAY_MS),
  });
  /** The invoice of an order of the owner's; of a guest's, where he is nobody's. */
  const draft = async (customerId: string | null = owner.customerId, orderId = 'ord_1') =>
    (await inOne(tx =>
      draftInvoice(tx, now(), { orderId, subscriptionId: null, upgrades: false }, { ...said(), customerId }),
    ))!;
  const pay = (id: string) => inOne(async tx => payInvoice(tx, now(), await lockInvoice(tx, id)));
  return {
    places,
    owner,
    now,
    inOne,
    look,
    period,
    draft,
    pay,
    row: (id: string) =>
      places.all.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async paid() {
      const id = await draft();
      await pay(id);
      return id;
    },
    renew({
      collectionMethod = 'chargeAutomatically',
      lines,
      months,
    }: {
      collectionMethod?: CollectionMethod;
      lines?: (typeof line)[];
      months?: number;
    } = {}) {
      const of = {
        subscriptionId: owner.id,
        customerId: owner.customerId,
        period: period(months),
        collectionMethod,
        isGift: false,
      };
      return inOne(tx => openRenewal(tx, now(), of, said(lines)));
    },
    async goodwill(amount: number, currency = 'THB') {
      const given = { currency, created_at: now() };
      const entry = { txn: `goodwill:${amount}`, ...given };
      await places.all
        .insertInto('goodwill')
        .values({ id: `${amount}`, customer_id: owner.customerId, amount, reason: 'late', ...given })
        .execute();
      const credit = {
        position: 1,
        account: 'credit',
        amount: -amount,
        customer_id: owner.customerId,
      } as const;
      await places.all
        .insertInto('ledger_entry')
        .values([
          { ...entry, position: 0, account: 'goodwill', amount },
          { ...entry, ...credit },
        ])
        .execute();
    },
    credit: () => look(db => availableCredit(db, owner.customerId, 'THB')),
    note: (id: string, amount: number) =>
      inOne(async tx => {
        const invoice = { ...(await lockInvoice(tx, id)), customerId: owner.customerId };
        return issueCreditNote(tx, now(), invoice, { amount, reason: 'sorry', provider: 'stripe' });
      }),
  };
}
export type GivenInvoices = Awaited<ReturnType<typeof givenInvoices>>;
