import type { TestShop } from '@fixpoint/testkit/shop.ts';
import type { Db } from '../../../src/ports/database.ts';

/** What a ride goes through. */
export type Coverage = {
  shop: TestShop;
  /** As the application: for what a ride does itself instead of a job. */
  app: Db;
  /** Tells its customers from those of another ride. */
  mark: string;
};
