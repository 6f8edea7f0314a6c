import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { customerPage, findCustomers } from '@fixpoint/api/modules/staff/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { sql } from 'kysely';
import { readArguments } from './command/arguments.ts';
import { verdict } from './command/verdict.ts';

/**
 * `npm run bench -- staff [customers] [runs]` finds a customer in every way that staff can, and reads their page, in a shop
 * of 100,000 customers. Goal: each within 200 ms.
 */
const { positionals } = readArguments('staff [customers] [runs]', 2, {});
const customers = Number(positionals[0] ?? 100_000);
const runs = Number(positionals[1] ?? 50);
const GOAL_MS = 200;

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.urls.owner);
  await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
  const { db, close } = openDatabase(postgres.urls.app, 1);
  const slowest: number[] = [];
  for (const [name, task] of Object.entries(await tasks(db))) slowest.push(await timesOf(name, task));
  const most = Math.max(...slowest);
  const goal = `each within ${GOAL_MS} ms, for ${customers.toLocaleString('en')} customers`;
  console.log(verdict(goal, most <= GOAL_MS));
  await close();
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Prints the median and the slowest of the runs. @returns the slowest, in milliseconds */
async function timesOf(name: string, task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    await task();
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
  console.log(`${name.padEnd(18)} median ${median.toFixed(1)} ms, slowest ${most.toFixed(1)} ms`);
  return most;
}

/** What is timed. The customer is the one with the most invoices. */
async function tasks(db: Db): Promise<Record<string, () => Promise<unknown>>> {
  const { rows } = await sql<Record<'id' | 'email' | 'number' | 'payment' | 'address' | 'host', string>>`
    select customer.id, email, invoice.number, attempt.provider_ref as payment,
      host(static_ip.address) as address, assignment.host_id as host
    from (select customer_id from invoice join attempt using (customer_id)
      where number is not null and attempt.provider_ref is not null
      group by customer_id order by count(*) desc limit 1) most
    join customer on customer.id = most.customer_id
    join invoice on invoice.customer_id = customer.id and invoice.number is not null
    join attempt on attempt.invoice_id = invoice.id and attempt.provider_ref is not null
    left join static_ip on static_ip.customer_id = customer.id
    left join assignment on assignment.customer_id = customer.id
    limit 1`.execute(db);
  const { id, email, number, payment, address, host } = rows[0]!;
  const find = (text: string) => () => findCustomers(db, text);
  return {
    'email address': find(email),
    'its beginning': find(email.slice(0, 4)),
    'invoice number': find(number),
    'payment ID': find(payment),
    'fixed IP': find(address ?? '192.0.2.1'),
    host: find(host ?? 'bkk-1'),
    'nothing like it': find('nobody knows this name'),
    'customer page': () => customerPage(db, id),
  };
}
