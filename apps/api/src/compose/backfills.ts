import type { Env } from '../env/env.ts';
import type { Backfill } from '../jobs/backfill.ts';
import { users } from '../modules/account/index.ts';
import { sellerCountry } from '../modules/billing/index.ts';

/**
 * Backfills of this version and of the one before, oldest first (docs/contribute/migrate.md). One is removed together
 * with the old shape, by the version that brings the `contract` file.
 */
export const backfillsOf = ({ SALE_COUNTRY }: Pick<Env, 'SALE_COUNTRY'>): readonly Backfill[] => [
  sellerCountry(SALE_COUNTRY),
  users,
];
