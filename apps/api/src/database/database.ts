import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Db, Schema } from '../ports/database.ts';
import { Connection, openPool } from './pools.ts';
import { scopeNow } from './scope.ts';
import { statementNames } from './statements.ts';

/** Maximum connections of one node, for the application, for customers' and for members' calls. */
const MOST = { application: 14, customers: 10, members: 4 };

/**
 * Customers' calls look up a few rows by id, so one generic plan that uses indexes serves all
 * values (planning took 18 ms for 1 ms of work, FP1). Sequential scans only look good with
 * statistics from when the shop was small (PE1). The application's statements keep the planner's
 * choice, because some need partial indexes.
 */
export const BY_INDEX = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A small table without an index looks so expensive that its plan would be compiled.
  jit: 'off',
};

/** A Kysely instance that takes its connections from `connect`. */
function kysely(connect: () => Promise<Connection>, ...pools: Pool[]): Kysely<Schema> {
  const end = async () => void (await Promise.all(pools.map(pool => pool.end())));
  const options = {};
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end, options } as unknown as PostgresPool }),
  });
}

/**
 * Opens a database with the rights of its connection string. For commands and tests, not for the
 * shop.
 */
export function openDatabase(url: string, max = 2): { db: Db; close(): Promise<void> } {
  const pool = openPool(url, max);
  const names = statementNames();
  const db = kysely(async () => new Connection(await pool.connect(), names), pool);
  return { db, close: () => db.destroy() };
}

export type ShopDatabase = {
  /** For modules: uses the rights of the current scope, and fails outside of one (`scope.ts`). */
  db: Db;
  /**
   * For code around calls, such as sessions and limits: uses the application's rights in any scope.
   */
  application: Db;
  /** How many connections of each pool are used or idle, and how many callers wait for one. */
  pools(): Record<'application' | 'customers' | 'members', PoolUse>;
  close(): Promise<void>;
};

export type PoolUse = Record<'used' | 'idle' | 'waiting', number>;

/**
 * Opens the shop's database as `fixpoint_app`, as `fixpoint_customer` for customers' calls and as `fixpoint_member` for
 * those of members.
 */
export function openShopDatabase(urls: { app: string; customer: string; member: string }): ShopDatabase {
  const byIndex = {
    options: Object.entries(BY_INDEX)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    pipeline: true,
  };
  const application = openPool(urls.app, MOST.application);
  const customers = openPool(urls.customer, MOST.customers, byIndex);
  const members = openPool(urls.member, MOST.members, byIndex);
  const names = statementNames();
  const forApplication = async () => new Connection(await application.connect(), names);
  const forCustomer = confinedConnections(customers, AS_CUSTOMER);
  const forMember = confinedConnections(members, AS_MEMBER);
  const db = kysely(
    () => {
      const scope = scopeNow();
      if (scope === 'application') return forApplication();
      const { customerId, userId } = scope;
      return userId === undefined ? forCustomer(customerId) : forMember(customerId, userId);
    },
    application,
    customers,
    members,
  );
  const countsOf = ({ totalCount, idleCount, waitingCount, options: { max } }: Pool): PoolUse => ({
    used: totalCount - idleCount,
    idle: idleCount,
    // pg also counts those who get a connection at once, such as those who read the metrics at this moment.
    waiting: Math.max(0, waitingCount - idleCount - (max - totalCount)),
  });
  return {
    db,
    application: kysely(forApplication),
    pools: () => ({
      application: countsOf(application),
      customers: countsOf(customers),
      members: countsOf(members),
    }),
    close: () => db.destroy(),
  };
}

/** Statements that say whose rows a connection sees, and their names. */
const AS_CUSTOMER = { name: 'customer', text: "select set_config('app.customer', $1, false)" };
const AS_MEMBER = {
  name: 'member',
  text: "select set_config('app.customer', $1, false), set_config('app.user', $2, false)",
};

/**
 * Connections that see the rows of one customer, or of one member of a customer. Each keeps its caller until another one
 * takes it, so that the second query of a call usually needs no `set_config`.
 */
function confinedConnections(
  pool: Pool,
  as: { name: string; text: string },
): (...caller: string[]) => Promise<Connection> {
  const callerOf = new WeakMap<PoolClient, string>();
  const names = statementNames();
  return async (...values) => {
    const client = await pool.connect();
    const caller = values.join(' ');
    if (callerOf.get(client) === caller) return new Connection(client, names);
    return new Connection(client, names, async () => {
      callerOf.delete(client);
      await client.query({ ...as, values });
      callerOf.set(client, caller);
    });
  };
}
