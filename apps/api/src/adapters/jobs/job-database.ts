import { createHash } from 'node:crypto';
import type { Db } from 'pg-boss';
import { Connection, openPool } from '../../database/pools.ts';
import { statementNames } from '../../database/statements.ts';

/**
 * Maximum connections of one node for taking and completing jobs; the jobs themselves use the
 * shop's pool.
 */
const MOST = 6;

/** Channel on which pg-boss announces a new job: a hash of its schema's name. */
export const JOBS_CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/** The database for pg-boss, with prepared statements, because it repeats the same few. */
export function openJobDatabase(url: string): Db & { close(): Promise<void> } {
  const pool = openPool(url, MOST);
  const names = statementNames();
  return {
    async executeSql(text, values = []) {
      const connection = new Connection(await pool.connect(), names);
      try {
        return await connection.query(text, values);
      } finally {
        connection.release();
      }
    },
    close: () => pool.end(),
  };
}
