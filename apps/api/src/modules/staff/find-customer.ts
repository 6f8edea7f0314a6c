import { isIP } from 'node:net';
import { type RawBuilder, sql } from 'kysely';
import { contactEmail } from '../../database/contact.ts';
import type { Db } from '../../ports/database.ts';

/** A customer that a search found. `by`: what matched. */
export type Match = { id: string; email: string; status: string; by: string };

/** Most customers that one search lists. */
const MOST = 50;

/**
 * Finds customers by whatever staff has in front of them. Each kind of text is looked up in its own index, exactly first:
 * a beginning is searched for only when nothing is equal.
 */
export async function findCustomers(db: Db, search: string): Promise<Match[]> {
  const text = search.trim();
  if (isIP(text)) return byAddress(db, text);
  const lower = text.toLowerCase();
  if (text.includes('@')) {
    const equal = await byEmail(db, lower);
    return equal.length > 0 ? equal : byBeginning(db, lower);
  }
  const known = await byId(db, text);
  if (known.length > 0) return known;
  const onHost = await ofHost(db, lower);
  if (onHost.length > 0) return onHost;
  return [...(await byBeginning(db, lower)), ...(await byHolder(db, lower))]
    .filter(({ id }, at, all) => all.findIndex(other => other.id === id) === at)
    .slice(0, MOST);
}

const customers = (db: Db) =>
  db.selectFrom('customer').select(['customer.id', contactEmail.as('email'), 'customer.status']);

const named = (by: string, rows: readonly Omit<Match, 'by'>[]): Match[] => rows.map(row => ({ ...row, by }));

/**
 * SQL: a text begins with another, in a form whose plan does not depend on the other: `like` finds an index for a pattern
 * that the planner knows only. The last character of Unicode ends the range.
 */
const beginsWith = (column: RawBuilder<string>, start: string): RawBuilder<boolean> =>
  sql`${column} ~>=~ ${start} and ${column} ~<~ ${`${start}\u{10ffff}`}`;

async function byEmail(db: Db, lower: string): Promise<Match[]> {
  const rows = await customers(db)
    .where('customer.email', '=', lower)
    .orderBy('status')
    .limit(MOST)
    .execute();
  return named('email', [...rows, ...(await ownedBy(db, lower))]);
}

/** Customers that somebody owns, and that nobody logs in by. */
const ownedBy = (db: Db, email: string) =>
  customers(db)
    .innerJoin('membership', 'membership.customer_id', 'customer.id')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .where('app_user.email', '=', email)
    .where('app_user.status', '=', sql.lit('active'))
    .where('membership.role', '=', 'owner')
    .where('customer.founder_id', 'is not', null)
    .limit(MOST)
    .execute();

async function byBeginning(db: Db, lower: string): Promise<Match[]> {
  const rows = await customers(db)
    .where(beginsWith(sql`customer.email`, lower))
    .orderBy(sql`customer.email using ~<~`)
    .orderBy('status')
    .limit(MOST)
    .execute();
  return named('email', rows);
}

async function byHolder(db: Db, lower: string): Promise<Match[]> {
  const rows = await customers(db)
    .innerJoin('saved_method', 'saved_method.customer_id', 'customer.id')
    .where(beginsWith(sql`lower(holder)`, lower))
    .orderBy(sql`lower(holder) using ~<~`)
    .limit(MOST)
    .execute();
  return named('name on a saved method', rows);
}

async function byAddress(db: Db, address: string): Promise<Match[]> {
  const rows = await customers(db)
    .innerJoin('static_ip', 'static_ip.customer_id', 'customer.id')
    .where('static_ip.address', '=', sql<string>`${address}::inet`)
    .execute();
  return named('fixed IP', rows);
}

async function ofHost(db: Db, host: string): Promise<Match[]> {
  const rows = await customers(db)
    .innerJoin('assignment', 'assignment.customer_id', 'customer.id')
    .where('assignment.host_id', '=', host)
    .where('assignment.status', '<>', 'leaving')
    .distinct()
    .orderBy('email')
    .limit(MOST)
    .execute();
  return named('host', rows);
}

/** Whose a subscription, invoice, payment, refund or credit note is, by its ID or number. */
export const ownerOf = async (db: Db, idOrNumber: string): Promise<string | undefined> =>
  (await byId(db, idOrNumber))[0]?.id;

/** By an ID or number of something that belongs to one customer: one statement, each branch by a unique index. */
async function byId(db: Db, text: string): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select customer.id, ${contactEmail} as email, customer.status, found.by from (
      select id as customer_id, 'account' as by from customer where id = ${text}
      union all select customer_id, 'subscription' from subscription where id = ${text}
      union all select customer_id, 'device' from vpn_key where id = ${text}
      union all select customer_id, 'invoice' from invoice where number = ${text.toUpperCase()}
      union all select customer_id, 'invoice' from invoice where reference = ${text.toUpperCase()}
      union all select customer_id, 'invoice' from invoice where id = ${text}
      union all select customer_id, 'credit note' from credit_note where number = ${text.toUpperCase()}
      union all select customer_id, 'payment' from attempt where id = ${text}
      union all select customer_id, 'payment' from attempt where provider_ref = ${text}
      union all select customer_id, 'payment' from attempt where charge_ref = ${text}
      union all select customer_id, 'refund' from refund where id = ${text}
    ) found join customer on customer.id = found.customer_id limit 1`.execute(db);
  return rows;
}
