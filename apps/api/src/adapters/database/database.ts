import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { Db } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';
import { confine } from './customer-scope.ts';

const INT8 = 20;
// Amounts and byte counts stay below 2^53; a value above would be a fault, not a number to round.
const parseInt8 = (value: string): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('bigint beyond 2^53');
  return number;
};

/** Opens the pool. `statement_timeout` and the connection time-out turn a hanging database into an error. */
export function openDatabase(url: string, max = 20): { db: Db; pool: Pool; close(): Promise<void> } {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 ? parseInt8 : types.getTypeParser(oid, format as 'text'),
    } as never,
  });
  // A connection that breaks while idle is replaced at the next query; without this handler it would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: confine(pool) as Pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** True for an error that says: this row exists already (unique or exclusion constraint `name`). */
export const violates = (error: unknown, name: string): boolean =>
  typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === name;
