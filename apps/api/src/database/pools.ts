import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { StatementNames } from './statements.ts';

const INT8 = 20;
/** A day has no time zone, so it stays text: `2026-12-31`. */
const DATE = 1082;
// Amounts and byte counts stay below 2^53; a larger value is a fault and must not be rounded.
const parseInt8 = (value: string): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('bigint beyond 2^53');
  return number;
};

/**
 * Opens a pool. `statement_timeout` and the connection timeout turn a hanging database into an
 * error.
 * @param more server settings of its connections as `-c name=value`; whether statements are
 *   pipelined
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
        oid === INT8
          ? parseInt8
          : oid === DATE
            ? (day: string) => day
            : types.getTypeParser(oid, format as 'text'),
    } as never,
  });
  // Any connection may break and emits an error, which would end the process without a listener.
  // The running query fails, and the pool discards the connection.
  pool.on('error', () => {});
  pool.on('connect', client => void client.on('error', () => {}));
  return pool;
}

/** SQLSTATE of an invalid prepared statement: its table was changed, or a pooler dropped it. */
const STALE = new Set(['0A000', '26000']);

/** Statements without effects. Any other one, including `with`, may have some. */
const READS = /^(select|begin)\b/i;

/** A connection for Kysely, which prepares each statement with parameters once. */
export class Connection {
  readonly #client: PoolClient;
  readonly #nameOf: StatementNames;
  readonly #enter: (() => Promise<void>) | undefined;
  #entered: Promise<void> | undefined;
  #broken = false;

  /**
   * @param nameOf statement names of its pool
   * @param enter runs before the first statement. A read is sent right behind it, which saves a
   *   round trip, but its result is returned only after `enter` has succeeded
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

  /** A connection whose customer is uncertain is closed. */
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
