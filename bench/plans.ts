import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { faultsOf, largeTables, timeOf, waysOf } from '@fixpoint/testkit/size/judge-queries.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import type { Query } from '@fixpoint/testkit/size/watch-queries.ts';
import { watchedRide } from '../apps/api/test/database/size/watched-ride.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- plans [customers] [rides]`: every statement of a call, scheduled task or job on a shop of 100,000 customers, in
 * docs/generated/queries.md; of a shop of another size only the sum is printed. Ends with 1 when one reads a large table or takes 10 ms.
 */
const { positionals } = readArguments('plans [customers] [rides]', 2, {});
const FULL = 100_000;
const customers = Number(positionals[0] ?? FULL);
const MOST_MS = 10;
/** Each statement is seen at least so often; the fastest time counts. */
const RIDES = Number(positionals[1] ?? 3);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.urls.owner);
  await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
  const large = await largeTables(postgres.adminUrl);
  const queries = await watchedRide({ url: postgres.adminUrl, urls: postgres.urls }, {}, RIDES);
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

/** The function that makes a statement, or that a constraint or trigger asks it. */
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
      waysOf(query).sort().join(', '),
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

Every statement of a call, a duty or a job, as PostgreSQL carried it out in a shop of ${customers.toLocaleString('en')} customers: by which
indexes it finds its rows (a small table that is read whole is in brackets) and the fastest of its times, in whole
milliseconds of one machine with two cores: they say which is slow, not how slow it is elsewhere. \`testkit/src/size\` fills
the shop, \`apps/api/test/size\` rides through it; \`npm test\` does the same with a smaller one and holds every plan
against the same rule; it names the functions whose statements come after a rare fault alone and are not ridden
([why](../decisions/0020-pg-and-kysely-with-prepared-statements.md)).

${table(own.map(query => line(query, nameOf(query))))}
## What constraints, triggers and the connection ask

${table(asked.map(query => line(query, '')))}`;
}
