import { readdirSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NoLogsReport } from '@fixpoint/contract/no-logs.ts';
import { OVERLAP } from '@fixpoint/domain/no-logs/matcher.ts';
import pg from 'pg';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { databaseFiles, unlessGone } from './database-files.ts';

/** Blocks of a table (8 KB each) per query. */
const PORTION = 1000;
const PIECE = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const ASK_AGAIN_MS = 2_000;
const TIMES_ASKED = 5;
/** Status codes of a busy shop: too many requests, load shedding. */
const BUSY = new Set([429, 503]);

type Matches = (piece: Buffer) => Set<string>;
type Found = (where: string, what: Set<string>) => void;

/**
 * Searches the shop for traces of a canary: every row, the files of its database with the
 * write-ahead log, its own folder, and its answers.
 * @param shop.database a URL that may read all tables
 * @param shop.databaseFolder location of the database's files, if the operator names it
 * @param shop.folder DATA_DIR
 * @param shop.answers URLs to fetch
 */
export async function searchShop(
  shop: { database: string; databaseFolder?: string | undefined; folder: string; answers: readonly string[] },
  matches: Matches,
): Promise<{ searched: NoLogsReport['shop']; findings: string[] }> {
  const findings: string[] = [];
  const found: Found = (where, what) => findings.push(...[...what].map(one => `${where}: ${one}`));
  const client = new pg.Client({ connectionString: shop.database });
  await client.connect();
  try {
    const rows = await searchRows(client, matches, found);
    const seen = new Set<string>();
    const files = await databaseFiles(client, shop.databaseFolder);
    const databaseBytes = await searchFiles(files, seen, matches, found);
    const ownBytes = await searchFiles([shop.folder], seen, matches, found);
    for (const url of shop.answers) found(url, matches(await answerOf(url)));
    return { searched: { rows, databaseBytes, ownBytes, answers: [...shop.answers] }, findings };
  } finally {
    await client.end();
  }
}

/** All tables with their size in blocks. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;

/**
 * The rows of some blocks of any table as text. The server quotes the names, so no SQL is built
 * here.
 */
const ROWS = `
  select query_to_xml(format('select t::text as r from %I.%I t where ctid >= %L::tid and ctid < %L::tid',
    $1::text, $2::text, $3::text, $4::text), true, false, '')::text as rows`;

async function searchRows(client: pg.Client, matches: Matches, found: Found): Promise<number> {
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
  await client.query('commit');
  return searched;
}

/**
 * Searches files and folders recursively, following links, which lead to PostgreSQL's write-ahead
 * log and tablespaces.
 * @param seen real paths that were searched already
 * @returns bytes read
 */
async function searchFiles(
  paths: readonly string[],
  seen: Set<string>,
  matches: Matches,
  found: Found,
): Promise<number> {
  let bytes = 0;
  // One buffer for all files: a database has thousands, most of them small.
  const piece = Buffer.allocUnsafe(PIECE + OVERLAP);
  const todo = [...paths];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    try {
      const real = realpathSync(path);
      if (seen.has(real)) continue;
      seen.add(real);
      const stats = statSync(real);
      if (stats.isDirectory()) todo.push(...readdirSync(real).map(name => join(real, name)));
      else if (stats.isFile()) bytes += await searchFile(real, piece, matches, found);
    } catch (error) {
      unlessGone(path, error);
    }
  }
  return bytes;
}

async function searchFile(path: string, piece: Buffer, matches: Matches, found: Found): Promise<number> {
  const file = await open(path);
  try {
    let overlap = 0;
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(piece, overlap, PIECE, null);
      if (bytesRead === 0) return bytes;
      bytes += bytesRead;
      const whole = piece.subarray(0, overlap + bytesRead);
      found(path, matches(whole));
      overlap = Math.min(OVERLAP, whole.length);
      piece.copyWithin(0, whole.length - overlap, whole.length);
    }
  } finally {
    await file.close();
  }
}

/** Repeats the request while the shop is busy. @throws OperatorFault if it does not answer */
async function answerOf(url: string): Promise<Buffer> {
  for (let asked = 1; ; asked++) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
    if (answer?.ok) {
      const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`);
      return Buffer.concat([Buffer.from(headers.join('')), Buffer.from(await answer.arrayBuffer())]);
    }
    if (asked === TIMES_ASKED || (answer && !BUSY.has(answer.status))) {
      const why = answer ? `status ${answer.status}` : 'no answer';
      throw new OperatorFault(`${url} does not answer (${why}), so it was not searched.`);
    }
    await sleep(ASK_AGAIN_MS);
  }
}
