import type { Transaction } from 'kysely';
import type { Db, Schema } from '../ports/database.ts';

/**
 * A transaction as a database whose own transactions are part of it: use cases that open one commit with whoever called
 * them. When one fails, all of it is rolled back.
 */
export function joined(tx: Transaction<Schema>): Db {
  const within = {
    execute: <R>(work: (db: Db) => Promise<R>): Promise<R> => work(db),
    setIsolationLevel: () => within,
  };
  const db: Db = new Proxy<Db>(tx, {
    get(target, name) {
      if (name === 'transaction') return () => within;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return db;
}
