import { newToken, tokenHash } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

/** An emailed link works once within 24 hours (S14). */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Creates the token of an emailed link. Only its hash is stored. */
export async function issueLink(db: Db, clock: Clock, customerId: string): Promise<string> {
  const token = newToken();
  await db
    .insertInto('link_token')
    .values({
      token_hash: tokenHash(token),
      customer_id: customerId,
      purpose: 'setPassword',
      expires_at: new Date(clock.now().getTime() + LIFETIME_MS),
    })
    .execute();
  return token;
}

/** Customer and purpose of a valid link. Does not consume it. */
export async function readLink(db: Db, clock: Clock, token: string) {
  return db
    .selectFrom('link_token')
    .innerJoin('customer', 'customer.id', 'link_token.customer_id')
    .select(['customer.id as customerId', 'customer.email', 'link_token.purpose'])
    .where('token_hash', '=', tokenHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .where('customer.status', '=', 'active')
    .executeTakeFirst();
}

/** Consumes a link and all other links of its customer. Undefined when it was used or has expired. */
export async function consumeLink(db: Db, clock: Clock, token: string): Promise<string | undefined> {
  const used = await db
    .updateTable('link_token')
    .set({ used_at: clock.now() })
    .where('token_hash', '=', tokenHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning('customer_id')
    .executeTakeFirst();
  if (!used) return undefined;
  await db
    .updateTable('link_token')
    .set({ used_at: clock.now() })
    .where('customer_id', '=', used.customer_id)
    .where('used_at', 'is', null)
    .execute();
  return used.customer_id;
}
