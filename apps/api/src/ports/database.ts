import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A handle for queries: the pool, or one transaction of it. */
export type Db = Kysely<Tables>;
