import { PostgresQueryCompiler } from 'kysely';
import pg from 'pg';

/** A node of a plan as EXPLAIN (ANALYZE, FORMAT JSON) names its parts. */
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

/** A statement as the server carried it out, each time that it did. */
export type Query = {
  text: string;
  /** Where it is written: `modules/billing/view.ts:65 invoicesView`. None: a constraint or trigger asks it. */
  places: Set<string>;
  /** As whom. */
  roles: Set<string>;
  runs: { ms: number; plan: PlanNode }[];
};

export type QueryWatch = { queries: Map<string, Query>; stop(): void };

/**
 * By these settings the server tells a connection how it carried out each statement, those of triggers too. Without the
 * time of each step, which would be a good part of the time of the whole.
 */
export const tellPlans = {
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

/** The first place in the shop's own code from which a statement is being written. */
function writtenAt(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, name = '', file = '', at] = FRAME.exec(line) ?? [];
    if (file && file !== 'database/prepared-queries.ts')
      return `${file}:${at} ${name.replace(/^(Object|Promise)\./, '')}`.trim();
  }
  return undefined;
}

/**
 * Listens to every connection that this process opens from now on, for the plans of the statements that it makes. Their
 * places are learned while Kysely writes them.
 * Both are done to the libraries, for the time of a measurement: the shop itself knows nothing of it.
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
