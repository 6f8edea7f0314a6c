import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Executor of queries: the pool, or one of its transactions. */
export type Db = Kysely<Tables>;
