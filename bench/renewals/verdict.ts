import { openDatabase } from '@fixpoint/api/database/database.ts';
import { checkDatabase } from '@fixpoint/api/modules/books/index.ts';
import type { controlOf } from '@fixpoint/testkit/sandbox.ts';
import { readLedgers } from '@fixpoint/testkit/storm/ledgers.ts';
import type pg from 'pg';

/** Subscriptions that were not granted and did not pay their next period exactly once. */
const NOT_ONCE = `select subscription_id from bench.due
  where (select count(*) from subscription_period period
      where period.subscription_id = due.subscription_id and starts_at = due.ends_at) <> 1
    or (select count(*) from invoice where invoice.subscription_id = due.subscription_id
      and period_start = due.ends_at and status = 'paid') <> 1
    or (select count(*) from invoice where invoice.subscription_id = due.subscription_id
      and period_start >= due.ends_at and status <> 'void') <> 1`;

/** What each paid renewal asked its customer's card for. */
const CHARGED = `select attempt.id, attempt.amount from attempt join invoice on invoice.id = attempt.invoice_id
  where purpose = 'renewal' and attempt.status = 'succeeded'`;

/** Everything that must not be so after that day; nothing when each was renewed and charged once and the books balance. */
export async function verdict(
  owner: pg.Client,
  databaseUrl: string,
  control: ReturnType<typeof controlOf>,
): Promise<string[]> {
  const wrong: string[] = [];
  const { rows: others } = await owner.query(NOT_ONCE);
  if (others.length > 0)
    wrong.push(`${others.length} not renewed once, the first ${others[0].subscription_id}`);

  const { kept } = await readLedgers(control);
  const { rows: charged } = await owner.query<{ id: string; amount: string }>(CHARGED);
  const differ = charged.filter(({ id, amount }) => kept.get(id) !== Number(amount));
  if (differ.length > 0) wrong.push(`${differ.length} charged otherwise, the first ${differ[0]!.id}`);
  if (kept.size !== charged.length)
    wrong.push(`${kept.size} payments at the provider for ${charged.length} of ours`);

  const { db, close } = openDatabase(databaseUrl, 1);
  try {
    for (const { name, rows } of await checkDatabase(db, new Date()))
      wrong.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  } finally {
    await close();
  }
  return wrong;
}

/**
 * What a worker and its renderer may have at once, in MiB, however many are due. The renderer has 170; the worker 320 to 380,
 * of 4,000 and of more: 70 of its heap are alive, and V8 sweeps it when there are 200. A hundred thousand rows
 * held at once, of two KiB or more, are not below this.
 */
export const MOST_MEMORY = 640;

/** What the provider does not allow, or what grows with how many are due. */
export function overLimits({
  calls,
  most,
  peak,
}: {
  calls: number;
  most: ReadonlyMap<string, number>;
  peak: number;
}): string[] {
  const tooOften = [...most].filter(([, seen]) => seen > calls);
  return [
    ...tooOften.map(([kind, seen]) => `${seen} calls in a second of ${kind}, where ${calls} are allowed`),
    ...(peak > MOST_MEMORY
      ? [`the worker and its renderer had ${peak.toFixed(0)} MiB at once, more than ${MOST_MEMORY}`]
      : []),
  ];
}
