import { CompiledQuery } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type Invariant, parametersOf, queryAt } from './invariant.ts';
import { ledgerInvariants } from './ledger.ts';
import { moneyInvariants } from './money.ts';
import { serviceInvariants } from './service.ts';

/** Everything that must be true of what the database holds. */
export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...ledgerInvariants,
  ...serviceInvariants,
];

/** Something that is not as it must be: which sentence does not hold, for what, and how to see it again. */
export type Difference = {
  name: string;
  sentence: string;
  rows: readonly Record<string, unknown>[];
  /** Of ours, where the other side is a provider. */
  query: string;
};

/** Holds the database against every invariant, all of them at one moment. @returns what does not hold */
export const checkDatabase = (db: Db, now: Date): Promise<Difference[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      const found: Difference[] = [];
      for (const invariant of invariants) {
        const { name, sentence, sql } = invariant;
        const query = CompiledQuery.raw(sql, parametersOf(invariant, now));
        const { rows } = await tx.executeQuery<Record<string, unknown>>(query);
        if (rows.length > 0) found.push({ name, sentence, rows, query: queryAt(invariant, now) });
      }
      return found;
    });
