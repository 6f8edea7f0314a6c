import { PostgresQueryCompiler } from 'kysely';
import pg from 'pg';

/** A node of a plan, with the names of EXPLAIN (ANALYZE, FORMAT JSON). */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
};

/** A statement with each of its executions. */
export type Query = {
  text: string;
  /** Where it is written: `modules/billing/view.ts:65 invoicesView`. Empty: a constraint or trigger runs it. */
  places: Set<string>;
  /** Roles that ran it. */
  roles: Set<string>;
  runs: { ms: number; plan: PlanNode }[];
};

export type QueryWatch = { queries: Map<string, Query>; stop(): void };

/**
 * Settings that make the server send the plan of each statement, those of triggers too. Timing per node is off, because it
 * would take a good part of the total time.
 */
export const explainSettings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
};

const FRAME = /at (?:async )?(?:(\S+) \()?(?:file:\/\/)?[^()]*\/apps\/api\/src\/([^():]+):(\d+):\d+\)?$/;

/** First place in the shop's own code from which a statement is written. */
function writtenAt(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, name = '', file = '', at] = FRAME.exec(line) ?? [];
    if (file && file !== 'database/prepared-queries.ts')
      return `${file}:${at} ${name.replace(/^(Object|Promise)\./, '')}`.trim();
  }
  return undefined;
}

/**
 * Records the plans of the statements on every connection that this process opens from now on, and where Kysely compiled
 * them. It patches both libraries during a measurement; the shop itself is unchanged.
 */
export function watchQueries(): QueryWatch {
  const queries = new Map<string, Query>();
  const queryOf = (text: string): Query => {
    const known = queries.get(text) ?? { text, places: new Set(), roles: new Set(), runs: [] };
    queries.set(text, known);
    return known;
  };
  const { connect } = pg.Client.prototype;
  const { compileQuery } = PostgresQueryCompiler.prototype;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;

  pg.Client.prototype.connect = function (this: pg.Client, ...given: Parameters<typeof connect>) {
    this.on('notice', ({ message = '' }) => {
      const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n([\s\S]*)$/.exec(message) ?? [];
      if (!json) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
      const query = queryOf(text);
      query.roles.add(this.user ?? '');
      query.runs.push({ ms: Number(ms), plan });
    });
    return connect.apply(this, given);
  } as typeof connect;

  PostgresQueryCompiler.prototype.compileQuery = function (...given) {
    const compiled = compileQuery.apply(this, given);
    const place = writtenAt(new Error().stack ?? '');
    if (place) queryOf(compiled.sql).places.add(place);
    return compiled;
  };

  return {
    queries,
    stop() {
      pg.Client.prototype.connect = connect;
      PostgresQueryCompiler.prototype.compileQuery = compileQuery;
      Error.stackTraceLimit = stackTraceLimit;
    },
  };
}
