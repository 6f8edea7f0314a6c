import { asApplication } from '@fixpoint/api/database/scope.ts';
import {
  applyVatOfDay,
  availableCredit,
  draftInvoice,
  issueCreditNote,
  lockInvoice,
  openRenewal,
  payInvoice,
} from '@fixpoint/api/modules/billing/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import type { Seller } from '@fixpoint/api/ports/json-columns.ts';
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
const contents = (by: Seller, lines = [line]) => ({
  currency: 'THB',
  lines,
  seller: by,
  language: 'en',
  buyer: { email: 'c1@example.com' },
});

/**
 * Inserts one customer with a subscription and gives access to their invoices. No provider and no page take part.
 * @param by the seller; without a country its documents keep the rate of VAT that they were drafted at
 * @example const invoices = await givenInvoices();
 * const id = await invoices.renewalInvoice({ months: 1 });
 */
export async function givenInvoices(by: Seller = seller) {
  const hosts = await givenHosts();
  const owner = await hosts.subscription();
  const now = () => hosts.clock.now();
  const inTransaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> => hosts.inTransaction(work);
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => asApplication(() => work(hosts.db));
  /** Period of 30 days that starts in one day, or `months` later. */
  const period = (months = 0) => ({
    start: new Date(now().getTime() + (1 + months * 30) * DAY_MS),
    end: new Date(now().getTime() + (31 + months * 30) * DAY_MS),
  });
  const draft = async (customerId: string | null = owner.customerId, orderId = 'ord_1') =>
    (await inTransaction(tx =>
      draftInvoice(
        tx,
        now(),
        { orderId, subscriptionId: null, upgrades: false },
        { ...contents(by), customerId },
      ),
    ))!;
  const pay = (id: string) =>
    inTransaction(async tx =>
      payInvoice(tx, now(), await applyVatOfDay(tx, now(), await lockInvoice(tx, id))),
    );
  return {
    hosts,
    owner,
    now,
    inTransaction,
    read,
    period,
    /** `draftInvoice()` returns the id of an unpaid invoice of the owner's order; `draftInvoice(null)` of a guest's. */
    draftInvoice: draft,
    pay,
    /** The row of an invoice, as the superuser sees it. */
    invoiceRow: (id: string) =>
      hosts.all.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** `await invoices.paidInvoice()` returns the id of a paid invoice of the owner's order. */
    async paidInvoice() {
      const id = await draft();
      await pay(id);
      return id;
    },
    /** `await invoices.renewalInvoice({ months: 1 })` returns the id of the invoice of that renewal. */
    renewalInvoice({
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
      return inTransaction(tx => openRenewal(tx, now(), of, contents(by, lines)));
    },
    /** `await invoices.grantGoodwill(50_00)` adds 50 baht of goodwill credit, in the ledger too. */
    async grantGoodwill(amount: number, currency = 'THB') {
      const given = { currency, created_at: now() };
      const entry = { txn: `goodwill:${amount}`, ...given };
      await hosts.all
        .insertInto('goodwill')
        .values({ id: `${amount}`, customer_id: owner.customerId, amount, reason: 'late', ...given })
        .execute();
      const credit = {
        position: 1,
        account: 'credit',
        amount: -amount,
        customer_id: owner.customerId,
      } as const;
      await hosts.all
        .insertInto('ledger_entry')
        .values([
          { ...entry, position: 0, account: 'goodwill', amount },
          { ...entry, ...credit },
        ])
        .execute();
    },
    /** Credit that the owner can spend, in baht's minor unit. */
    credit: () => read(db => availableCredit(db, owner.customerId, 'THB')),
    /** `await invoices.creditNote(id, 20_00)` issues a credit note over 20 baht of a paid invoice. */
    creditNote: (id: string, amount: number) =>
      inTransaction(async tx => {
        const invoice = { ...(await lockInvoice(tx, id)), customerId: owner.customerId };
        return issueCreditNote(tx, now(), invoice, { amount, reason: 'sorry', provider: 'stripe' });
      }),
  };
}
export type GivenInvoices = Awaited<ReturnType<typeof givenInvoices>>;
