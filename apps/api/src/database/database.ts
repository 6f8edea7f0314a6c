import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Db } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';
import { Connection, openPool } from './pools.ts';
import { scopeNow } from './scope.ts';
import { statementNames } from './statements.ts';

/** Connections of one node at most: for the application, and for customers' calls. */
const MOST = { application: 14, customers: 10 };

/**
 * A customer's calls look a few rows up by their id, the same way for everybody: one plan serves all (18 ms of planning for
 * 1 ms of work otherwise, FP1), and it goes by indexes. Whole tables pay only by statistics from when the shop was small
 * (PE1). The application's statements keep the choice: some need a plan for their values, for the sake of partial indexes.
 */
export const BY_INDEX = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A small table without a fitting index costs so much on paper that its plan would be compiled.
  jit: 'off',
};

/** A handle that takes its connections from `connect`. */
function kysely(connect: () => Promise<Connection>, ...pools: Pool[]): Kysely<Tables> {
  const end = async () => void (await Promise.all(pools.map(pool => pool.end())));
  const options = {};
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end, options } as unknown as PostgresPool }),
  });
}

/** Opens a database as whom its connection string names: for commands and for tests, not for the shop. */
export function openDatabase(url: string, max = 2): { db: Db; close(): Promise<void> } {
  const pool = openPool(url, max);
  const names = statementNames();
  const db = kysely(async () => new Connection(await pool.connect(), names), pool);
  return { db, close: () => db.destroy() };
}

export type ShopDatabase = {
  /** For modules: works with the rights of the scope that it is used in, and not outside of one (`scope.ts`). */
  db: Db;
  /** For what stands before and beside a call — who asks, how often: works with the application's rights in any scope. */
  application: Db;
  close(): Promise<void>;
};

/** Opens the shop's two ways into its database: as `fixpoint_app`, and as `fixpoint_customer` for customers' calls. */
export function openShopDatabase(urls: { app: string; customer: string }): ShopDatabase {
  const application = openPool(urls.app, MOST.application);
  const customers = openPool(urls.customer, MOST.customers, {
    options: Object.entries(BY_INDEX)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    pipeline: true,
  });
  const names = statementNames();
  const forApplication = async () => new Connection(await application.connect(), names);
  const forCustomer = customerConnections(customers);
  const db = kysely(
    () => {
      const scope = scopeNow();
      return scope === 'application' ? forApplication() : forCustomer(scope.customerId);
    },
    application,
    customers,
  );
  return { db, application: kysely(forApplication), close: () => db.destroy() };
}

/**
 * Lends connections that see one customer's rows. Each keeps its customer until another takes it, so that a call's second
 * query, which mostly gets the connection of the first, need not say it again.
 */
function customerConnections(pool: Pool): (customerId: string) => Promise<Connection> {
  const customerOf = new WeakMap<PoolClient, string>();
  const names = statementNames();
  return async customerId => {
    const client = await pool.connect();
    if (customerOf.get(client) === customerId) return new Connection(client, names);
    return new Connection(client, names, async () => {
      customerOf.delete(client);
      await client.query({
        name: 'customer',
        text: "select set_config('app.customer', $1, false)",
        values: [customerId],
      });
      customerOf.set(client, customerId);
    });
  };
}
