import { isRefusal, type Refusal } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';

/** Carries a refusal out of a transaction that it rolls back. */
class RolledBack extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super('refused');
    this.refusal = refusal;
  }
}

/** A transaction of which a refusal leaves nothing. */
export async function whole<T extends object>(
  db: Db,
  work: (tx: Db) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  try {
    return await db.transaction().execute(async tx => {
      const result = await work(tx);
      if (isRefusal(result)) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal;
    throw error;
  }
}
