import { newId } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { recordGoodwill } from './ledger.ts';

/** Asked for again within this time it is the same, begun twice. */
const SAME_MS = 24 * 60 * 60_000;

/** Staff cannot give this credit; the sentence says why. */
class NothingGiven extends Error {
  override name = 'NothingGiven';
}

type Given = {
  /** Id or e-mail address. */
  customer: string;
  /** Without it the one that he pays in. */
  currency: string | undefined;
  /** Integer hundredths, above zero. */
  amount: number;
  reason: string;
};

/**
 * Whom credit would be given, and in which currency. In a transaction it holds his account: that does not end meanwhile.
 * @throws NothingGiven
 */
export async function planGoodwill(db: Db, { customer, currency }: Pick<Given, 'customer' | 'currency'>) {
  const owner = await db
    .selectFrom('customer')
    .select(['id', 'email'])
    .where(customer.includes('@') ? 'email' : 'id', '=', customer.trim().toLowerCase())
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst();
  if (!owner) throw new NothingGiven(`There is no customer ${customer} with an account that goes on.`);
  const his = (await paidIn(db, owner.id)) ?? (await soldIn(db));
  const said = currency ?? (his.length === 1 ? his[0]! : undefined);
  if (!said) throw new NothingGiven(`Name the currency: ${his.join(' or ')}.`);
  if (!his.includes(said))
    throw new NothingGiven(`Credit in ${said} would pay nothing of ${owner.email}: ${his.join(' or ')}.`);
  return { ...owner, currency: said };
}

/** What he has been billed in; undefined before his first invoice. */
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
 * Gives a customer credit out of goodwill: it is booked as what it costs, pays his next invoice first, and he is told.
 * @throws NothingGiven also for the same within a day: a command that was begun twice
 */
export async function giveGoodwill(
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  given: Given,
): Promise<Awaited<ReturnType<typeof planGoodwill>>> {
  const { amount, reason } = given;
  const now = clock.now();
  return db.transaction().execute(async tx => {
    // It holds his account: the same is not given twice at once either.
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
    if (twin) throw new NothingGiven('The same was given within a day. If it is meant: say another reason.');
    const goodwillId = newId('gwl');
    const credit = { customerId, currency, amount };
    await tx
      .insertInto('goodwill')
      .values({ id: goodwillId, customer_id: customerId, currency, amount, reason, created_at: now })
      .execute();
    const subjectId = await recordGoodwill(tx, now, goodwillId, credit);
    await jobs.enqueue(tx, 'sendEmail', { template: 'credit', customerId, subjectId });
    return plan;
  });
}
