import pg from 'pg';
import type { PlanNode, Query } from './watch-queries.ts';

/** A table with more rows than this is never read from one end to the other. */
const LARGE = 10_000;
/** Rows that one statement may look at in such a table: a few batches of a scheduled task, or what the hosts of a place run. */
const MOST_ROWS = 5000;

/** Tables of the shop that are large, as the statistics of a filled database say. */
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

/** Rows that a node has looked at, also those that it threw away. */
const rowsOf = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0);

/** What is wrong with how a statement was carried out; empty when it was by indexes and in small parts. */
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

/** Of some statements, the rows that the one which looks at most of them looks at, in all tables. */
export const mostRows = (queries: Iterable<Query>): number =>
  Math.max(
    0,
    ...[...queries].flatMap(({ runs }) =>
      runs.map(({ plan }) =>
        [...nodesOf(plan)].reduce((sum, node) => sum + (node['Relation Name'] ? rowsOf(node) : 0), 0),
      ),
    ),
  );

/** The fastest of its runs, in ms: the others waited for this machine. */
export const timeOf = ({ runs }: Query): number => Math.min(...runs.map(({ ms }) => ms));

/** By which indexes a statement finds its rows; tables without one are small and read whole. */
export function waysOf({ runs }: Query): string[] {
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

/**
 * The statements of a shop among those that were seen: not those of who measures, nor of the queue, which are its library's.
 * @param beside statements that read everything on purpose
 */
export const ofTheShop = (queries: Iterable<Query>, beside: Set<string>): Query[] =>
  [...queries].filter(
    ({ text, roles, runs }) =>
      runs.length > 0 &&
      (roles.has('fixpoint_app') || roles.has('fixpoint_customer')) &&
      !/\bpgboss\b|\bpg_catalog\.pg_|\bpg_boss\b/.test(text) &&
      !beside.has(text),
  );
