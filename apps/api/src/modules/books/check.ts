import { CompiledQuery } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type Invariant, parametersOf, queryAt } from './invariant.ts';
import { ledgerInvariants } from './ledger.ts';
import { moneyInvariants } from './money.ts';
import { serviceInvariants } from './service.ts';

/** All invariants of the database. */
export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...ledgerInvariants,
  ...serviceInvariants,
];

/** A violated invariant with its rows, and the query that reproduces them. */
export type Difference = {
  name: string;
  sentence: string;
  rows: readonly Record<string, unknown>[];
  /** Query of our side, where the other side is a provider. */
  query: string;
};

/**
 * An invariant reads whole tables, which takes a large shop longer than a caller's statement may, and sorts them in memory.
 * Compiling its plan takes longer than it saves.
 */
const WHOLE_TABLES = `select set_config('statement_timeout', '10min', true), set_config('work_mem', '64MB', true),
  set_config('jit', 'off', true)`;

/** Reads whole tables in one snapshot of the database. */
export const readWholeTables = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await tx.executeQuery(CompiledQuery.raw(WHOLE_TABLES));
      return read(tx);
    });

/** Checks all invariants in one snapshot of the database. @returns the violated ones */
export const checkDatabase = (db: Db, now: Date): Promise<Difference[]> =>
  readWholeTables(db, async tx => {
    const found: Difference[] = [];
    for (const invariant of invariants) {
      const { name, sentence, sql } = invariant;
      const query = CompiledQuery.raw(sql, parametersOf(invariant, now));
      const { rows } = await tx.executeQuery<Record<string, unknown>>(query);
      if (rows.length > 0) found.push({ name, sentence, rows, query: queryAt(invariant, now) });
    }
    return found;
  });
