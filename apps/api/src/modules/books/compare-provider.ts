import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { ProviderBooks } from '../../ports/provider-books.ts';
import type { Difference } from './check.ts';
import { compare, type OwnStatement } from './compare.ts';

/**
 * Reads a provider's books and holds ours against them. Ours are read last: what came meanwhile is news to them alone.
 * @throws NamedFault('providerUnreachable')
 */
export async function compareProvider(db: Db, books: ProviderBooks): Promise<Difference[]> {
  const theirs = await books.read();
  return compare(books.provider, await ownStatement(db, books.provider), theirs);
}

/** Our books of a provider, at one moment. */
const ownStatement = (db: Db, provider: Provider): Promise<OwnStatement> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      const attempts = await tx
        .selectFrom('attempt')
        .innerJoin('payer', 'payer.id', 'attempt.payer_id')
        .select(['attempt.id', 'attempt.provider_ref as ref', 'attempt.currency', 'received', 'fee'])
        .select(sql<boolean>`attempt.status = 'succeeded'`.as('succeeded'))
        .select(sql<boolean>`ask_at is not null`.as('asksAgain'))
        .where('payer.provider', '=', provider)
        .execute();
      const refunds = await tx
        .selectFrom('refund')
        .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
        .innerJoin('payer', 'payer.id', 'attempt.payer_id')
        .select(['refund.id', 'refund.provider_ref as ref', 'refund.status', 'refund.currency'])
        .select('refund.amount')
        .where('payer.provider', '=', provider)
        .execute();
      const balances = await tx
        .selectFrom('ledger_entry')
        .select(['currency', sql<number>`sum(amount)::bigint`.as('sum')])
        .where('account', '=', 'provider')
        .where('provider', '=', provider)
        .groupBy('currency')
        .execute();
      return {
        attempts,
        refunds,
        balances: Object.fromEntries(balances.map(({ currency, sum }) => [currency, sum])),
      };
    });
