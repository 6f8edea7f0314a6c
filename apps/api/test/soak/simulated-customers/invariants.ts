import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { checkDatabase } from '../../../src/modules/books/index.ts';
import { fundingInvoices } from '../../../src/modules/payment/dispute/funded-subscriptions.ts';
import type { Simulation } from './actions.ts';
import { chargeability, isChargeable } from './bills.ts';
import { beginPlan, DAY_MS, HOUR_MS, MINUTE_MS, type Simulated } from './customer.ts';
import { expectHostAccepts, expectKnownDevices, expectNowhere } from './devices.ts';
import { EMAILS_PER_INVOICE } from './emails.ts';
import { expectEndedAccount } from './ended-account.ts';
import { expectBooksAgree } from './money.ts';
import { expectReminded, seesEnd } from './post.ts';
import { reserveAddress } from './reserved-addresses.ts';

/** How long before the end of the paid period the first charge is tried. */
const FIRST_TRY_MS = DAY_MS;
/** How long after the first try an unpaid subscription is served: seven days of tries, an hour for the last, some polls. */
const GRACE_MS = 7 * DAY_MS + HOUR_MS + 5 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;
/** An invoice is opened on time if its subscription has renewed for as long before the end of the paid period. */
const REMINDED_MS = 31 * DAY_MS;
/** The longest time from one try to the next, at which another subscription may find that the grace is spent. */
const NEXT_TRY_MS = 2 * DAY_MS;
/** Money on its way is waited for; and some polls. */
const ARRIVAL_MS = DAY_MS + 5 * MINUTE_MS;
/** How long before the end of the paid period the invoice is sent. */
const ASKED_MS = 7 * DAY_MS;
/** Time within which a chargeable customer is charged: at most two days pass between tries. */
const CHARGED_MS = 3 * DAY_MS;

/** Checks all invariants, and updates what each customer sees. */
export async function checkAll(simulation: Simulation): Promise<void> {
  const { shop, population } = simulation;
  await expectBooksAgree(simulation);
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
  for (const simulated of population) {
    await expectWholePeriods(shop, simulated);
    if (simulated.known.left) await expectEndedAccount(simulation, simulated);
    else {
      await expectAsKnown(simulation, simulated);
      await expectPaidIsServed(simulation, simulated);
    }
  }
}

/** Updates what one customer sees at once: their saved methods pay for all their subscriptions. */
export async function updateKnown(simulation: Simulation, simulated: Simulated): Promise<void> {
  for (const his of simulation.population)
    if (his.email === simulated.email && !his.known.left) await expectAsKnown(simulation, his);
}

/** When it ended last. */
async function endOf({ db }: TestShop, id: string): Promise<Date> {
  const { at } = await db
    .selectFrom('subscription_history')
    .select('at')
    .where('subscription_id', '=', id)
    .where('to_status', '=', 'expired')
    .orderBy('version', 'desc')
    .executeTakeFirstOrThrow();
  return at;
}

const isUp = async ({ db }: TestShop, id: string): Promise<boolean> => {
  const assignments = db.selectFrom('assignment').select('subscription_id').where('status', '=', 'up');
  return (await assignments.where('subscription_id', '=', id).executeTakeFirst()) !== undefined;
};

/** Each day is paid for once, and none is missing unless the subscription had ended. */
async function expectWholePeriods({ db }: TestShop, simulated: Simulated): Promise<void> {
  const rows = await db
    .selectFrom('subscription_history')
    .select('at')
    .where('subscription_id', '=', simulated.subscriptionId)
    .where('to_status', '=', 'expired')
    .execute();
  const periods = await simulated.periods();
  for (const [index, { starts_at: start }] of periods.entries()) {
    if (index === 0) continue;
    const before = periods[index - 1]!.ends_at;
    const because = rows.some(({ at }) => at >= before && at <= start);
    if (!because) expect(start, 'a period begins where the one before ended').toEqual(before);
    else expect(start.getTime()).toBeGreaterThanOrEqual(before.getTime());
  }
}

/** When an account last ended unpaid after days beyond a paid period, within the year before `at`. */
function spentGraceAt({ population }: Simulation, { email }: Simulated, at: Date): number | undefined {
  const spent = population.flatMap(({ email: his, known: { left, graceSpentAt } }) =>
    his === email && !left && graceSpentAt && at.getTime() - graceSpentAt.getTime() < YEAR_MS
      ? [graceSpentAt.getTime()]
      : [],
  );
  return spent.length > 0 ? Math.min(...spent) : undefined;
}

/**
 * Expects the grace period: tries started a day before the end, by awake workers, while renewal was on. An account that has
 * spent it is served to the end of the paid period, once another subscription has used it up.
 */
function expectGrace(
  simulation: Simulation,
  simulated: Simulated,
  { period_end }: Row,
  servedUntil: Date,
): void {
  const end = period_end!.getTime();
  const since = Math.max(simulation.time.woke().getTime(), simulated.known.renewableSince?.getTime() ?? 0);
  const tried = Math.max(end - FIRST_TRY_MS, since);
  expect(servedUntil.getTime() - tried, 'nobody unpaid is served past the grace').toBeLessThan(GRACE_MS);
  const spent = spentGraceAt(simulation, simulated, servedUntil);
  if (spent === undefined || since > end - REMINDED_MS) return;
  const last = Math.max(end, spent + NEXT_TRY_MS) + ARRIVAL_MS;
  expect(servedUntil.getTime(), 'nobody has days beyond a period twice a year').toBeLessThan(last);
}

async function expectPaidIsServed(simulation: Simulation, simulated: Simulated): Promise<void> {
  const { shop } = simulation;
  const now = shop.clock.now();
  const row = await simulated.row();
  const served = row.status === 'active' || row.status === 'pastDue';
  expect(await isUp(shop, row.id), 'a host runs just what is served').toBe(served);
  const paidFor = (await simulated.periods()).some(
    ({ starts_at, ends_at }) => starts_at <= now && now < ends_at,
  );
  if (paidFor) expect(row.status, 'who has paid is served').toMatch(/active|pastDue/);
  if (served) expectGrace(simulation, simulated, row, now);
  if (served) await expectHostAccepts(simulation, simulated);
  else expectNowhere(simulation, simulated);
}

/** Compares the shop's rows with what the customer did, and updates what time has changed. */
async function expectAsKnown(simulation: Simulation, simulated: Simulated): Promise<void> {
  const { shop, time } = simulation;
  const { known, post } = simulated;
  const now = shop.clock.now();
  const row = await simulated.row();
  const status = row.status as typeof known.status;
  if (known.planned && known.planned.from <= now && row.period_start! >= known.planned.from) {
    beginPlan(known, known.planned.plan);
  }
  const wasCharged = isDue(known.chargeableSince, now) && !(known.cardEnds && known.cardEnds <= now);
  if (status === 'expired' && known.status !== 'expired') {
    const wanted = known.ended || !known.renews || known.suspendedSince !== undefined;
    expect(wanted || !wasCharged, 'it ended for a reason').toBe(true);
    if (!known.ended) post.counted.expired += 1;
    // Workers that slept over tries send fewer emails.
    const expectedEmails =
      known.paidUntil && time.woke().getTime() < known.paidUntil.getTime() - ASKED_MS && known.owes;
    const endedAt = await endOf(shop, row.id);
    const isSpent = spentGraceAt(simulation, simulated, endedAt) !== undefined;
    if (!wanted && expectedEmails) post.letPass.set(expectedEmails, isSpent ? 1 : EMAILS_PER_INVOICE);
    expectGrace(simulation, simulated, row, endedAt);
    const end = row.period_end!.getTime();
    const wasPastDue = !wanted || (known.status === 'pastDue' && !known.ended);
    if (wasPastDue && endedAt.getTime() - end > DAY_MS) known.graceSpentAt = endedAt;
    if (!known.ended) known.ranPeriod = true;
    reserveAddress(simulation, simulated, endedAt);
    Object.assign(known, { endedAt, planned: undefined });
  }
  if (status === 'pastDue') expect(wasCharged, 'who can be charged owes nothing').toBe(false);
  await expectSuspensionReason(shop, simulated, row);
  const renewable = known.renews && !known.suspendedSince;
  known.renewableSince = renewable ? (known.renewableSince ?? now) : undefined;
  await expectKnownDevices(shop, simulated);
  expect(row.product_id.startsWith(known.plan), `${row.product_id} is ${known.plan}`).toBe(true);
  if (status !== 'expired') expect(row.cancel_at_period_end).toBe(!known.renews);
  known.status = status;
  if (known.paidUntil && row.period_start! >= known.paidUntil) known.ranPeriod = true;
  if (known.paidUntil && row.period_start?.getTime() === known.paidUntil.getTime()) {
    expectReminded(post, known, known.paidUntil, time.woke());
    known.given = false;
  }
  expect(row.is_gift, 'given is what its customer has paid nothing for').toBe(known.given);
  if (row.period_end && row.period_end.getTime() !== known.paidUntil?.getTime())
    seesEnd(post, known, row.period_end);
  known.paidUntil = row.period_end ?? undefined;
  const open = await shop.db
    .selectFrom('invoice')
    .select('reference')
    .where('subscription_id', '=', row.id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  known.owes = open?.reference;
  await readSavedMethods(shop, simulated, row.customer_id);
}

/** Expects a dispute as the reason of each suspension, and no charge while suspended. */
async function expectSuspensionReason(
  { db, clock }: TestShop,
  { known }: Simulated,
  row: Row,
): Promise<void> {
  const disputed = await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'attempt_id')
    .select('dispute.id')
    .where('customer_id', '=', row.customer_id)
    .where('dispute.status', 'in', ['open', 'lost'])
    .executeTakeFirst();
  if (!row.suspended) known.suspendedSince = undefined;
  else {
    expect(disputed, 'a payment is disputed, or was taken back').toBeDefined();
    known.suspendedSince ??= clock.now();
    const charges = await db
      .selectFrom('attempt')
      .innerJoin('invoice', 'invoice.id', 'invoice_id')
      .select('attempt.id')
      .where('subscription_id', '=', row.id)
      .where('unattended', '=', true)
      .where('attempt.created_at', '>', known.suspendedSince)
      .execute();
    expect(charges, 'nothing is charged while it is suspended').toEqual([]);
  }
}
type Row = Awaited<ReturnType<Simulated['row']>>;

const isDue = (since: Date | undefined, now: Date) =>
  since !== undefined && now.getTime() > since.getTime() + CHARGED_MS;

async function readSavedMethods(
  shop: TestShop,
  { known, subscriptionId }: Simulated,
  customerId: string,
): Promise<void> {
  const methods = await shop.db
    .selectFrom('saved_method')
    .select(['id', 'method', 'is_default'])
    .where('customer_id', '=', customerId)
    .execute();
  const has = (method: string) => methods.some(one => one.method === method);
  const charged = methods.find(({ is_default }) => is_default);
  known.keeps = { card: has('card'), account: has('paypal') };
  known.accountSince = known.keeps.account ? (known.accountSince ?? shop.clock.now()) : undefined;
  known.charged = charged && (charged.method === 'card' ? 'card' : 'account');
  const stands = charged && (await chargeability(shop, charged.id));
  const pays = charged !== undefined && (await isChargeable(shop, charged.id));
  known.cardEnds = stands?.ends;
  const last = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select('method')
    .where('invoice.id', '=', sql<string>`any(${await fundingInvoices(shop.db, subscriptionId)})`)
    .where('invoice.status', '=', 'paid')
    .where('attempt.status', '=', 'succeeded')
    .where(sql<boolean>`received > unapplied`)
    .orderBy('paid_at', 'desc')
    .executeTakeFirst();
  const byItself =
    pays &&
    known.renews &&
    !known.suspendedSince &&
    !known.given &&
    (!last || last.method === 'card' || last.method === 'paypal');
  known.chargeableSince = byItself ? (known.chargeableSince ?? shop.clock.now()) : undefined;
}
