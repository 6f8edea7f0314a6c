import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { customerPage, findCustomers } from '@fixpoint/api/modules/staff/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { prepareDatabase } from '@fixpoint/testkit/database.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { sql } from 'kysely';
import { readArguments } from './command/arguments.ts';
import { printTimes } from './command/times.ts';
import { verdict } from './command/verdict.ts';
import { commandTasks, consoleOf, fillAuditLog } from './staff/commands.ts';

/**
 * `npm run bench -- staff [customers] [runs]` finds a customer in every way that staff can, reads their page, and runs the
 * commands of an operator's day, in a shop of 100,000 customers. Goal: each search within 50 ms, the page and each command
 * within 200 ms; an export checks all books first, and may take as long as that.
 */
const { positionals } = readArguments('staff [customers] [runs]', 2, {});
const customers = Number(positionals[0] ?? 100_000);
const runs = Number(positionals[1] ?? 20);
const SEARCH_MS = 50;
const PAGE_MS = 200;
/** They read the books of all. */
const LONGER = ['export of a month'];

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await prepareDatabase(postgres.urls);
  await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
  await fillAuditLog(postgres.urls.owner);
  const { db, close } = openDatabase(postgres.urls.app, 1);
  const { searches, page } = await tasks(db);
  const slowest: number[] = [];
  for (const [name, task] of Object.entries(searches)) slowest.push(await printTimes(name, runs, task));
  const read = await printTimes('customer page', runs, page);
  const commands: number[] = [read];
  for (const [name, task] of Object.entries(
    await commandTasks(db, consoleOf(db, postgres.urls, dataDir), runs),
  )) {
    const isLong = LONGER.includes(name);
    const most = await printTimes(name, isLong ? Math.min(runs, 3) : runs, task);
    if (!isLong) commands.push(most);
  }
  const goal = `each search within ${SEARCH_MS} ms, the page and each command within ${PAGE_MS} ms, for ${customers.toLocaleString('en')} customers`;
  console.log(verdict(goal, Math.max(...slowest) <= SEARCH_MS && Math.max(...commands) <= PAGE_MS));
  await close();
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** What is timed. The customer is the one with the most invoices. */
async function tasks(
  db: Db,
): Promise<{ searches: Record<string, () => Promise<unknown>>; page: () => Promise<unknown> }> {
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
  const searches = {
    'email address': find(email),
    'its beginning': find(email.slice(0, 4)),
    'name on a card': find('Buyer 1'),
    'invoice number': find(number),
    'payment ID': find(payment),
    'fixed IP': find(address ?? '192.0.2.1'),
    host: find(host ?? 'bkk-1'),
    'nothing like it': find('nobody knows this name'),
    'no such address': find('nobody@knows.example'),
  };
  return { searches, page: () => customerPage(db, id) };
}
