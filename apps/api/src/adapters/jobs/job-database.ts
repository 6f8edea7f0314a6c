import { createHash } from 'node:crypto';
import type { Db } from 'pg-boss';
import { Connection, openPool } from '../../database/pools.ts';
import { statementNames } from '../../database/statements.ts';

/** Connections of one node at most for taking and ending jobs; what a job does uses those of the shop. */
const MOST = 6;

/** Where pg-boss announces that a queue has got a job: by the hash of its schema's name, as it names the channel itself. */
export const JOBS_CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/** The database as pg-boss uses it: with prepared statements, as it makes the same few all day. */
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
