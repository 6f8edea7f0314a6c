import type { Language } from '@fixpoint/contract/languages.ts';
import { sql } from 'kysely';
import { newId, newToken, tokenHash } from '../../crypto/secrets.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { hasRoom } from './has-room.ts';

const DAY_MS = 24 * 60 * 60_000;
/** An address that nobody confirms is forgotten after this time. */
const UNCONFIRMED_MS = DAY_MS;
/** A place that stays sold out for so long is no longer waited for; the privacy policy says so. */
const CONFIRMED_MS = 365 * DAY_MS;
/** Emails that one address gets, and in which pause, before it has confirmed anything: it may be a stranger's (S17). */
const MOST_ASKED = 3;
const PAUSE_MS = 10 * 60_000;

export type PlaceNoticeDeps = { db: Db; clock: Clock; jobs: Jobs };

/**
 * Asks the owner of an address whether they want to be told when a place has a free address. The answer is the same for every
 * address, also where no email is sent.
 */
export async function askPlaceNotice(
  { db, clock, jobs }: PlaceNoticeDeps,
  { regionId, email, language }: { regionId: string; email: string; language: Language },
): Promise<Refusal | Record<string, never>> {
  const sold = await db
    .selectFrom('offer')
    .select('region_id')
    .where('region_id', '=', regionId)
    .where('active', '=', true)
    .limit(1)
    .executeTakeFirst();
  if (!sold) return refuse('vendorNotFound');
  const now = clock.now();
  await db.transaction().execute(async tx => {
    // Of one address one at a time, so that the count below holds.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`place notice ${email}`}, 0))`.execute(tx);
    const { asked } = await tx
      .selectFrom('place_notice')
      .select(sql<number>`coalesce(sum(asked), 0)::int`.as('asked'))
      .where('email', '=', email)
      .where('confirmed_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    if (asked >= MOST_ASKED) return;
    const id = await writeNotice(tx, now, { regionId, email, language });
    if (id) await jobs.enqueue(tx, 'sendPlaceNotice', { noticeId: id });
  });
  return {};
}

/** @returns undefined where one is confirmed, or was emailed a moment ago */
async function writeNotice(
  tx: Db,
  now: Date,
  { regionId, email, language }: { regionId: string; email: string; language: Language },
): Promise<string | undefined> {
  const row = { language, asked_at: now, expires_at: new Date(now.getTime() + UNCONFIRMED_MS) };
  const written = await tx
    .insertInto('place_notice')
    .values({ id: newId('ntc'), region_id: regionId, email, ...row })
    .onConflict(on =>
      on
        .columns(['region_id', 'email'])
        .doUpdateSet(({ ref, eb }) => ({ ...row, asked: eb(ref('place_notice.asked'), '+', 1) }))
        .where('place_notice.confirmed_at', 'is', null)
        .where('place_notice.asked', '<', MOST_ASKED)
        .where('place_notice.asked_at', '<=', new Date(now.getTime() - PAUSE_MS)),
    )
    .returning('id')
    .executeTakeFirst();
  return written?.id;
}

const byToken = (db: Db, now: Date, token: string) =>
  db
    .selectFrom('place_notice')
    .innerJoin('region', 'region.id', 'place_notice.region_id')
    .select(['place_notice.id', 'place_notice.confirmed_at', 'region.id as regionId', 'region.name'])
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** The notice of an emailed link. */
export async function readPlaceNotice({ db, clock }: PlaceNoticeDeps, token: string) {
  const found = await byToken(db, clock.now(), token);
  if (!found) return refuse('tokenInvalid');
  const { regionId, name, confirmed_at } = found;
  return { region: { id: regionId, name }, confirmed: confirmed_at !== null };
}

/** Confirms the notice of an emailed link, which lengthens its time; a repeated call changes nothing. */
export async function confirmPlaceNotice(deps: PlaceNoticeDeps, token: string) {
  const notice = await readPlaceNotice(deps, token);
  if (isRefusal(notice) || notice.confirmed) return notice;
  const now = deps.clock.now();
  await deps.db
    .updateTable('place_notice')
    .set({ confirmed_at: now, expires_at: new Date(now.getTime() + CONFIRMED_MS) })
    .where('token_hash', '=', tokenHash(token))
    .where('confirmed_at', 'is', null)
    .execute();
  return { ...notice, confirmed: true };
}

/** Deletes the notice of an emailed link. */
export async function deletePlaceNotice({ db }: PlaceNoticeDeps, token: string) {
  const { numDeletedRows } = await db
    .deleteFrom('place_notice')
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst();
  return numDeletedRows > 0n ? {} : refuse('tokenInvalid');
}

/** Whether a place can be bought: with an address, or by its waiting list. */
const canBuyAt = (db: Db, now: Date) =>
  db
    .selectFrom('offer')
    .select('offer.region_id')
    .where('offer.active', '=', true)
    .where(eb => eb.or([eb('offer.waiting_list', '=', true), hasRoom(now)]));

/** Who waits for a place that can be bought again: those that have waited longest first. */
export const dueNotices = (db: Db, now: Date, most: number) =>
  db
    .selectFrom('place_notice')
    .select('id as noticeId')
    .where('confirmed_at', 'is not', null)
    .where('region_id', 'in', canBuyAt(db, now))
    .orderBy('confirmed_at')
    .limit(most)
    .execute();

export const forgetExpiredNotices = (db: Db, now: Date) =>
  db.deleteFrom('place_notice').where('expires_at', '<=', now).execute();

/**
 * What an email has to say, read when it is sent: a new token for a notice that is not confirmed; else that the place can be
 * bought.
 * @returns undefined where there is nothing to say any more
 */
export async function placeNoticeToSend(db: Db, now: Date, id: string) {
  const notice = await db
    .selectFrom('place_notice')
    .innerJoin('region', 'region.id', 'place_notice.region_id')
    .select([
      'place_notice.email',
      'place_notice.language',
      'place_notice.confirmed_at',
      'place_notice.asked',
    ])
    .select(['region.id as regionId', 'region.name'])
    .where('place_notice.id', '=', id)
    .where('place_notice.expires_at', '>', now)
    .executeTakeFirst();
  if (!notice) return undefined;
  const { confirmed_at: confirmedAt, ...of } = notice;
  if (!confirmedAt) {
    const token = newToken();
    await db
      .updateTable('place_notice')
      .set({ token_hash: tokenHash(token) })
      .where('id', '=', id)
      .execute();
    return { ...of, token };
  }
  const open = await canBuyAt(db, now).where('offer.region_id', '=', of.regionId).limit(1).executeTakeFirst();
  return open && of;
}

/** An address is used once. */
export const forgetPlaceNotice = (db: Db, id: string) =>
  db.deleteFrom('place_notice').where('id', '=', id).execute();

/** Erases what the owner of a deleted account waits for. */
export const erasePlaceNotices = async (tx: Db, email: string): Promise<void> => {
  await tx.deleteFrom('place_notice').where('email', '=', email).execute();
};

/** What a customer waits for, for the export of their data. */
export async function placeNoticesOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('place_notice')
    .innerJoin('customer', 'customer.email', 'place_notice.email')
    .select(['region_id', 'asked_at', 'confirmed_at'])
    .where('customer.id', '=', customerId)
    .orderBy('asked_at')
    .execute();
  return {
    placeNotices: rows.map(({ region_id, asked_at, confirmed_at }) => ({
      regionId: region_id,
      askedAt: asked_at.toISOString(),
      confirmed: confirmed_at !== null,
    })),
  };
}
