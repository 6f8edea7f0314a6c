import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
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
 * @param more settings of the server for its connections, as `-c name=value`; whether statements are sent before the one
 *   in front is answered
 */
export function openPool(
  url: string,
  max: number,
  more: Pick<PoolConfig, 'options' | 'pipeline'> = {},
): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    ...more,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 ? parseInt8 : types.getTypeParser(oid, format as 'text'),
    } as never,
  });
  // A connection may break at any time, idle or taken, and says so by an event; unheard, it would end the process. Who
  // uses it hears of it by his query, and the pool does not lend it again.
  pool.on('error', () => {});
  pool.on('connect', client => void client.on('error', () => {}));
  return pool;
}

/** SQLSTATE of a prepared statement that does not fit any more: its table was changed, or a pooler gave it away. */
const STALE = new Set(['0A000', '26000']);

/** Statements that change nothing. Any other one, a `with` among them, may. */
const READS = /^(select|begin)\b/i;

/** A connection as Kysely uses it: each statement with parameters is prepared once. */
export class Connection {
  readonly #client: PoolClient;
  readonly #nameOf: StatementNames;
  readonly #enter: (() => Promise<void>) | undefined;
  #entered: Promise<void> | undefined;
  #broken = false;

  /**
   * @param nameOf the names of its pool
   * @param enter what comes before the first statement. A read is sent at once behind it, which saves a way to the database
   *   and back; nobody is given what it has found before this has succeeded
   */
  constructor(client: PoolClient, nameOf: StatementNames, enter?: () => Promise<void>) {
    this.#client = client;
    this.#nameOf = nameOf;
    this.#enter = enter;
  }

  get processID(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  async query(sql: string, parameters: readonly unknown[]) {
    const values = parameters as unknown[];
    const name = values.length > 0 ? this.#nameOf(sql) : undefined;
    const entered = this.#entering();
    if (entered && !READS.test(sql)) await entered;
    try {
      const answer = this.#client.query({ text: sql, values, ...(name && { name }) });
      return entered ? (await Promise.all([answer, entered]))[0] : await answer;
    } catch (error) {
      if (STALE.has((error as { code?: string }).code ?? '')) this.#broken = true;
      throw error;
    }
  }

  /** A connection that cannot be told whose it is now is closed. */
  #entering(): Promise<void> | undefined {
    this.#entered ??= this.#enter?.().catch(error => {
      this.#broken = true;
      throw error;
    });
    return this.#entered;
  }

  release(broken?: boolean): void {
    this.#client.release(broken || this.#broken);
  }
}
