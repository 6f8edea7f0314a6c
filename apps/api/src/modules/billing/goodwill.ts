import { sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import { contactEmail } from '../../database/contact.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { goodwillOf } from './ended-credit.ts';
import { recordGoodwill, recordGoodwillTakenBack } from './ledger.ts';

/** The same gift within this time is taken for a command that was run twice. */
const SAME_MS = 24 * 60 * 60_000;

/** Why staff cannot give this credit, as a sentence for the operator. */
class GoodwillRefused extends Error {
  override name = 'NothingGiven';
}

/** Gifts within this time count towards the ceiling. */
const LATELY_MS = 31 * SAME_MS;

type Given = {
  /** ID or email address. */
  customer: string;
  /** Undefined: the one that the customer pays in. */
  currency: string | undefined;
  /** Integer hundredths, above zero. */
  amount: number;
  reason: string;
  /** Staff means more than the ceiling. */
  aboveCeiling?: boolean;
};

/**
 * Finds the customer and the currency of a gift. In a transaction it locks the account, which cannot be deleted meanwhile.
 * @throws GoodwillRefused
 */
export async function planGoodwill(db: Db, { customer, currency }: Pick<Given, 'customer' | 'currency'>) {
  const owner = await db
    .selectFrom('customer')
    .select(['id', contactEmail.as('email')])
    .where(customer.includes('@') ? 'email' : 'id', '=', customer.trim().toLowerCase())
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst();
  if (!owner) throw new GoodwillRefused(`There is no active account ${customer}.`);
  const usable = (await paidIn(db, owner.id)) ?? (await soldIn(db));
  const chosen = currency ?? (usable.length === 1 ? usable[0]! : undefined);
  if (!chosen) throw new GoodwillRefused(`Name the currency: ${usable.join(' or ')}.`);
  if (!usable.includes(chosen))
    throw new GoodwillRefused(`${owner.email} cannot use credit in ${chosen}. Give ${usable.join(' or ')}.`);
  return { ...owner, currency: chosen };
}

/** Currencies that a customer was billed in; undefined before the first invoice. */
async function paidIn(db: Db, customerId: string): Promise<string[] | undefined> {
  const rows = await db
    .selectFrom('invoice')
    .select('currency')
    .distinct()
    .where('customer_id', '=', customerId)
    .orderBy('currency')
    .execute();
  return rows.length > 0 ? rows.map(row => row.currency) : undefined;
}

async function soldIn(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('plan_price').select('currency').distinct().orderBy('currency').execute();
  return rows.map(row => row.currency);
}

/**
 * Refuses more goodwill within 31 days than the highest price that the catalogue or an invoice of the customer has in that
 * currency: a typing error gives no fortune away. In a transaction the account is locked.
 * @throws GoodwillRefused
 */
export async function requireBelowCeiling(
  db: Db,
  now: Date,
  { customerId, currency, amount }: { customerId: string; currency: string; amount: number },
): Promise<void> {
  const { ceiling, lately } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      fn
        .coalesce(
          sql<number>`greatest(
            (select max(greatest(price, renewal)) from plan_price where currency = ${currency}),
            (select max(total) from invoice where customer_id = ${customerId} and currency = ${currency}))`,
          sql<number>`0`,
        )
        .as('ceiling'),
      selectFrom('goodwill')
        .select(sum => sum.fn.coalesce(sum.fn.sum<number>('amount'), sql<number>`0`).as('lately'))
        .where('customer_id', '=', customerId)
        .where('currency', '=', currency)
        .where('created_at', '>', new Date(now.getTime() - LATELY_MS))
        .as('lately'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(lately) + amount <= Number(ceiling)) return;
  const text = (minor: number) => `${currency} ${(minor / 100).toFixed(2)}`;
  throw new GoodwillRefused(
    `${text(amount)} is above the ceiling of ${text(Number(ceiling))} within 31 days, of which ${text(Number(lately))} were given. If you mean it, add --above-ceiling.`,
  );
}

/**
 * Gives a customer credit out of goodwill, books it as a cost and emails the customer. Their next invoice uses it first.
 * @throws GoodwillRefused also for the same gift within a day: a command that was run twice
 */
export async function giveGoodwill(
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  given: Given,
): Promise<Awaited<ReturnType<typeof planGoodwill>>> {
  const { amount, reason } = given;
  const now = clock.now();
  return db.transaction().execute(async tx => {
    // Locks the account, so that two commands at once cannot both give it.
    const plan = await planGoodwill(tx, given);
    const { id: customerId, currency } = plan;
    const twin = await tx
      .selectFrom('goodwill')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('currency', '=', currency)
      .where('amount', '=', amount)
      .where('reason', '=', reason)
      .where('created_at', '>', new Date(now.getTime() - SAME_MS))
      .executeTakeFirst();
    if (twin)
      throw new GoodwillRefused(
        'The same credit was given less than a day ago. To give more, use another reason.',
      );
    const goodwillId = newId('gwl');
    const credit = { customerId, currency, amount };
    if (!given.aboveCeiling) await requireBelowCeiling(tx, now, credit);
    await tx
      .insertInto('goodwill')
      .values({ id: goodwillId, customer_id: customerId, currency, amount, reason, created_at: now })
      .execute();
    const subjectId = await recordGoodwill(tx, now, goodwillId, credit);
    await jobs.enqueue(tx, 'sendEmail', { template: 'credit', customerId, subjectId });
    return plan;
  });
}

/**
 * Plans to take goodwill back. In a transaction it locks the account.
 * @throws GoodwillRefused for more than is left of it unused: goodwill counts as used last
 */
export async function planTakeBack(
  db: Db,
  { customer, currency, amount }: Pick<Given, 'customer' | 'currency' | 'amount'>,
) {
  const plan = await planGoodwill(db, { customer, currency });
  const credit = await db
    .selectFrom('account_credit')
    .select('amount')
    .where('customer_id', '=', plan.id)
    .where('currency', '=', plan.currency)
    .executeTakeFirst();
  const left = Math.min(credit?.amount ?? 0, await goodwillOf(db, plan.id, plan.currency));
  if (amount > left)
    throw new GoodwillRefused(
      `${plan.email} has ${plan.currency} ${(left / 100).toFixed(2)} of goodwill left to take back.`,
    );
  return plan;
}

/** Takes unused goodwill back, and books that, in the caller's transaction. @throws GoodwillRefused */
export async function takeGoodwillBack(
  tx: Db,
  now: Date,
  asked: Pick<Given, 'customer' | 'currency' | 'amount'>,
): Promise<void> {
  const { id: customerId, currency } = await planTakeBack(tx, asked);
  await recordGoodwillTakenBack(tx, now, newId('gwl'), { customerId, currency, amount: asked.amount });
}
