import type { Backfill } from '../jobs/backfill.ts';

/**
 * Backfills of this version and of the one before, oldest first (docs/contribute/migrate.md). One is removed together
 * with the old shape, by the version that brings the `contract` file.
 */
export const backfills: readonly Backfill[] = [];
