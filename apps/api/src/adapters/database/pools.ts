import { Pool, type PoolClient, types } from 'pg';
import type { StatementNames } from './statements.ts';

const INT8 = 20;
// Amounts and byte counts stay below 2^53; a value above would be a fault, not a number to round.
const parseInt8 = (value: string): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('bigint beyond 2^53');
  return number;
};

/**
 * Opens a pool. `statement_timeout` and the connection time-out turn a hanging database into an error.
 * @param options settings of the server for its connections, as `-c name=value`
 */
export function openPool(url: string, max: number, options?: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    ...(options && { options }),
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 ? parseInt8 : types.getTypeParser(oid, format as 'text'),
    } as never,
  });
  // A connection may break at any time, idle or taken, and says so by an event; unheard, it would end the process. Who
  // uses it hears of it by his query, and the pool does not lend it again (FM5).
  pool.on('error', () => {});
  pool.on('connect', client => void client.on('error', () => {}));
  return pool;
}

/** SQLSTATE of a prepared statement that does not fit any more: its table was changed, or a pooler gave it away. */
const STALE = new Set(['0A000', '26000']);

/** A connection as Kysely uses it: each statement with parameters is prepared once. */
export class Connection {
  readonly #client: PoolClient;
  readonly #nameOf: StatementNames;
  #broken = false;

  /** @param nameOf the names of its pool */
  constructor(client: PoolClient, nameOf: StatementNames) {
    this.#client = client;
    this.#nameOf = nameOf;
  }

  get processID(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  async query(sql: string, parameters: readonly unknown[]) {
    const values = parameters as unknown[];
    const name = values.length > 0 ? this.#nameOf(sql) : undefined;
    try {
      return await this.#client.query({ text: sql, values, ...(name && { name }) });
    } catch (error) {
      if (STALE.has((error as { code?: string }).code ?? '')) this.#broken = true;
      throw error;
    }
  }

  release(broken?: boolean): void {
    this.#client.release(broken || this.#broken);
  }
}
