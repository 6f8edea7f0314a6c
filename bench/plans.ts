import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { faultsOf, indexesOf, largeTables, timeOf } from '@fixpoint/testkit/size/query-rules.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import type { Query } from '@fixpoint/testkit/size/watch-queries.ts';
import { watchedCoverage } from '../apps/api/test/database/size/watched-coverage.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- plans [customers] [runs]` explains every statement of a call, scheduled task or job in a shop of 100,000
 * customers and writes docs/generated/queries.md; for another size it prints only the total. Exits with 1 when a statement
 * reads a large table or takes more than 10 ms.
 */
const { positionals } = readArguments('plans [customers] [runs]', 2, {});
const FULL = 100_000;
const customers = Number(positionals[0] ?? FULL);
const MOST_MS = 10;
/** Minimum executions of each statement; the fastest counts. */
const RUNS = Number(positionals[1] ?? 3);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.urls.owner);
  await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
  const large = await largeTables(postgres.adminUrl);
  const queries = await watchedCoverage({ url: postgres.adminUrl, urls: postgres.urls }, {}, RUNS);
  if (customers === FULL) await writeFile(join(root, 'docs/generated/queries.md'), page(queries));
  for (const query of queries) {
    const slow = timeOf(query) > MOST_MS ? [`takes ${timeOf(query).toFixed(1)} ms`] : [];
    const faults = [...faultsOf(query, large), ...slow];
    if (faults.length === 0) continue;
    process.exitCode = 1;
    console.log(`${nameOf(query)}: ${faults.join(', ')}\n  ${query.text}`);
  }
  const slowest = Math.max(...queries.map(timeOf));
  console.log(`${queries.length} statements, the slowest ${slowest.toFixed(1)} ms`);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Functions that run a statement. */
function nameOf({ places }: Query): string {
  const names = [...places].map(place => {
    const [, file, name] = /^(?:modules\/)?(.+?)(?:\.ts):\d+ ?(.*)$/.exec(place) ?? [];
    return `${file}${name && ` ${name}`}`;
  });
  return [...new Set(names)].sort().join(', ');
}

function page(queries: Query[]): string {
  const line = (query: Query, name: string) => {
    const text = query.text.replaceAll(/\s+/g, ' ').trim();
    const who = [...query.roles].map(role => role.replace('fixpoint_', '')).sort();
    const cells = [
      name,
      who.join(', '),
      `\`${text.slice(0, 90).replaceAll('|', '\\|')}\``,
      indexesOf(query).sort().join(', '),
    ];
    const ms = timeOf(query);
    return `| ${cells.join(' | ')} | ${ms < 1 ? '< 1' : Math.ceil(ms)} |`;
  };
  const table = (rows: string[]) =>
    `| where | as | statement | finds its rows by | ms |\n|---|---|---|---|--:|\n${rows.sort().join('\n')}\n`;
  const [own, asked] = [
    queries.filter(({ places }) => places.size > 0),
    queries.filter(({ places }) => places.size === 0),
  ];
  return `<!-- Made by \`npm run bench -- plans\`; do not edit. -->
# Statements

Every statement of a call, a scheduled task or a job, as PostgreSQL ran it in a shop of ${customers.toLocaleString('en')} customers: the
indexes by which it finds its rows (small tables that are read whole are in brackets) and its fastest time in whole
milliseconds on a machine with two cores. The times show which statement is slow, not how slow it is elsewhere.
\`testkit/src/size\` fills the shop, \`apps/api/test/database/size\` runs the calls. \`npm run test:all\` checks the same rules
in a smaller shop and names the functions whose statements only run after a rare fault
([why](../decisions/0020-pg-and-kysely-with-prepared-statements.md)).

${table(own.map(query => line(query, nameOf(query))))}
## Statements of constraints, triggers and the connection

${table(asked.map(query => line(query, '')))}`;
}
