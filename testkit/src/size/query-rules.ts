import pg from 'pg';
import type { PlanNode, Query } from './watch-queries.ts';

/** A table with more rows than this must never be scanned as a whole. */
const LARGE = 10_000;
/** Rows of such a table that one statement may read: a few batches of a scheduled task, or the rows of a place's hosts. */
const MOST_ROWS = 5000;

/** Large tables of the shop by the statistics of a filled database. */
export async function largeTables(url: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > ${LARGE}`,
    );
    return new Set(rows.map(({ relname }) => relname));
  } finally {
    await client.end();
  }
}

function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

/** Rows that a plan node has read, filtered ones included. */
const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0);

/** Violations in how a statement was executed; empty when it used indexes and read small parts. */
export function faultsOf(query: Query, large: Set<string>): string[] {
  const faults = new Set<string>();
  for (const { plan } of query.runs) {
    for (const node of nodesOf(plan)) {
      const table = node['Relation Name'];
      if (!table || !large.has(table)) continue;
      if (node['Node Type'] === 'Seq Scan') faults.add(`reads all of ${table}`);
      if (rowsOf(node) > MOST_ROWS) faults.add(`looks at more than ${MOST_ROWS} rows of ${table}`);
    }
  }
  return [...faults];
}

/** Number of rows in all tables that the most expensive of these statements reads. */
export const mostRows = (queries: Iterable<Query>): number =>
  Math.max(
    0,
    ...[...queries].flatMap(({ runs }) =>
      runs.map(({ plan }) =>
        [...nodesOf(plan)].reduce((sum, node) => sum + (node['Relation Name'] ? rowsOf(node) : 0), 0),
      ),
    ),
  );

/** The fastest run in ms: the others waited for this machine. */
export const timeOf = ({ runs }: Query): number => Math.min(...runs.map(({ ms }) => ms));

/** Indexes by which a statement finds its rows; tables without one are small and read as a whole. */
export function indexesOf({ runs }: Query): string[] {
  const ways = new Set<string>();
  for (const { plan } of runs) {
    for (const node of nodesOf(plan)) {
      const [index, table] = [node['Index Name'], node['Relation Name']];
      if (index) ways.add(index);
      else if (table && node['Node Type'] === 'Seq Scan') ways.add(`(${table})`);
    }
  }
  return [...ways];
}

/** The database's roles that the shop works with. */
const ROLES = ['fixpoint_app', 'fixpoint_customer', 'fixpoint_member'];

/**
 * Recorded statements of the shop, without those of the measurement and of the queue library.
 * @param exempt statements that read everything on purpose
 */
export const shopQueries = (queries: Iterable<Query>, exempt: Set<string>): Query[] =>
  [...queries].filter(
    ({ text, roles, runs }) =>
      runs.length > 0 &&
      ROLES.some(role => roles.has(role)) &&
      !/\bpgboss\b|\bpg_catalog\.pg_|\bpg_boss\b/.test(text) &&
      !exempt.has(text),
  );
