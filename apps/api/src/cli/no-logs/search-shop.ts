import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NoLogsReport } from '@fixpoint/contract/no-logs.ts';
import { OVERLAP } from '@fixpoint/domain/no-logs/matcher.ts';
import pg from 'pg';
import { OperatorFault } from '../operator-fault.ts';

/** Blocks of a table, of 8 KB each, that are read at once. */
const PORTION = 1000;
const PIECE = 4 * 1024 * 1024;
const PATIENCE_MS = 10_000;

type Matches = (piece: Buffer) => Set<string>;
type Found = (where: string, what: Set<string>) => void;

/**
 * Searches the shop for what a canary may have left: every row, the files of its database with the write-ahead log, and
 * what it answers.
 * @param shop.database a URL that may read all tables
 * @param shop.files folder of PostgreSQL, where it is on this machine
 * @param shop.answers addresses to ask
 */
export async function searchShop(
  shop: { database: string; files: string; answers: readonly string[] },
  matches: Matches,
): Promise<{ searched: NoLogsReport['shop']; findings: string[] }> {
  const findings: string[] = [];
  const found: Found = (where, what) => findings.push(...[...what].map(one => `${where}: ${one}`));
  const rows = await searchRows(shop.database, matches, found);
  const databaseBytes = existsSync(shop.files) ? await searchFiles(shop.files, matches, found) : 0;
  for (const url of shop.answers) found(url, matches(await answerOf(url)));
  return { searched: { rows, databaseBytes, answers: [...shop.answers] }, findings };
}

/** All tables that hold rows, with their length in blocks. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;

/** The rows of some blocks of any table as text, without a statement that is put together here. */
const ROWS = `
  select query_to_xml(format('select t::text as r from %I.%I t where ctid >= %L::tid and ctid < %L::tid',
    $1::text, $2::text, $3::text, $4::text), true, false, '')::text as rows`;

async function searchRows(url: string, matches: Matches, found: Found): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows: tables } = await client.query<{ schema: string; name: string; blocks: number }>(TABLES);
    let searched = 0;
    for (const { schema, name, blocks } of tables) {
      for (let block = 0; block < blocks; block += PORTION) {
        const bounds = [`(${block},0)`, `(${block + PORTION},0)`];
        const { rows } = await client.query<{ rows: string }>(ROWS, [schema, name, ...bounds]);
        const text = rows[0]!.rows;
        found(`table ${schema}.${name}`, matches(Buffer.from(text)));
        searched += text.split('<r>').length - 1;
      }
    }
    return searched;
  } finally {
    await client.end();
  }
}

/** @returns bytes that were read */
async function searchFiles(folder: string, matches: Matches, found: Found): Promise<number> {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    let before = Buffer.alloc(0);
    try {
      for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
        const whole = Buffer.concat([before, piece]);
        found(path, matches(whole));
        before = whole.subarray(-OVERLAP);
        bytes += piece.length;
      }
    } catch (error) {
      // A running database removes files of its own.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return bytes;
}

async function answerOf(url: string): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  if (!answer?.ok) throw new OperatorFault(`${url} does not answer: nobody knows what it says.`);
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`);
  return Buffer.concat([Buffer.from(headers.join('')), Buffer.from(await answer.arrayBuffer())]);
}
