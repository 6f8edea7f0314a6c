import { sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentDeps } from '../deps.ts';

/**
 * Between the gateway's answer that a card is attached and the transaction that saves it, another request may save the card
 * and its owner may remove it: nothing would show that. So a row of `card_saving` stands for the check. Whoever saves or
 * deletes the card deletes all such rows of it, and a check without its row saves nothing.
 */
export async function beginSavingCheck({ db, clock }: PaymentDeps, cardRef: string): Promise<string> {
  const ref = `${cardRef} ${newId('met')}`;
  await db.insertInto('card_saving').values({ ref, counted_for: [], seen_at: clock.now() }).execute();
  return ref;
}

/** Ends all checks of a card that is saved or deleted. Only with its owner's saved methods locked. @returns their names */
export async function endSavingChecks(tx: Db, cardRef: string): Promise<string[]> {
  const ended = await tx
    .deleteFrom('card_saving')
    .where(sql<boolean>`starts_with(ref, ${`${cardRef} `})`)
    .returning('ref')
    .execute();
  return ended.map(({ ref }) => ref);
}
