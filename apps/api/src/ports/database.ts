import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Views that queries name like tables. */
type Views = { open_alert: Omit<Tables['alert'], 'resolved_at' | 'openings'> };

export type Schema = Tables & Views;

/** Executor of queries: the pool, or one of its transactions. */
export type Db = Kysely<Schema>;
