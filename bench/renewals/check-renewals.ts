import { openDatabase } from '@fixpoint/api/database/database.ts';
import { checkDatabase } from '@fixpoint/api/modules/books/index.ts';
import { readLedgers } from '@fixpoint/testkit/load-test/ledgers.ts';
import type { controlOf } from '@fixpoint/testkit/sandbox.ts';
import type pg from 'pg';

/** Subscriptions whose next period was not granted, or not paid, exactly once. */
const NOT_ONCE = `select subscription_id from bench.due
  where (select count(*) from subscription_period period
      where period.subscription_id = due.subscription_id and starts_at = due.ends_at) <> 1
    or (select count(*) from invoice where invoice.subscription_id = due.subscription_id
      and period_start = due.ends_at and status = 'paid') <> 1
    or (select count(*) from invoice where invoice.subscription_id = due.subscription_id
      and period_start >= due.ends_at and status <> 'void') <> 1`;

/** Amount charged for each paid renewal. */
const CHARGED = `select attempt.id, attempt.amount from attempt join invoice on invoice.id = attempt.invoice_id
  where purpose = 'renewal' and attempt.status = 'succeeded'`;

/** @returns violated invariants; empty when each was renewed and charged exactly once and the books balance */
export async function checkRenewals(
  owner: pg.Client,
  databaseUrl: string,
  control: ReturnType<typeof controlOf>,
): Promise<string[]> {
  const violations: string[] = [];
  const { rows: others } = await owner.query(NOT_ONCE);
  if (others.length > 0)
    violations.push(`${others.length} not renewed exactly once, first: ${others[0].subscription_id}`);

  const { kept } = await readLedgers(control);
  const { rows: charged } = await owner.query<{ id: string; amount: string }>(CHARGED);
  const differ = charged.filter(({ id, amount }) => kept.get(id) !== Number(amount));
  if (differ.length > 0)
    violations.push(`${differ.length} charged a different amount, first: ${differ[0]!.id}`);
  if (kept.size !== charged.length)
    violations.push(`${kept.size} payments at the gateway, ${charged.length} in the shop`);

  const { db, close } = openDatabase(databaseUrl, 1);
  try {
    for (const { name, rows } of await checkDatabase(db, new Date()))
      violations.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  } finally {
    await close();
  }
  return violations;
}

/**
 * Maximum memory of a worker and its document renderer, in MiB, for any number of due renewals. The renderer uses 170, the
 * worker 320 to 380 for 4,000 renewals and more. 100,000 rows of 2 KiB or more in memory at once would exceed it.
 */
export const MOST_MEMORY = 640;

/** @returns exceeded limits: calls per second of a kind, memory of the worker */
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
    ...tooOften.map(([kind, seen]) => `${seen} calls in a second of ${kind}; the limit is ${calls}`),
    ...(peak > MOST_MEMORY
      ? [`worker and renderer used ${peak.toFixed(0)} MiB; the limit is ${MOST_MEMORY}`]
      : []),
  ];
}
