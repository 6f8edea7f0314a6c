import type { TestShop } from '@fixpoint/testkit/shop.ts';
import type { Db } from '../../../src/ports/database.ts';

/** Context of one coverage run. */
export type Coverage = {
  shop: TestShop;
  /** With the application's role, for work that the run does instead of a job. */
  app: Db;
  /** Distinguishes its customers from those of another run. */
  mark: string;
};
