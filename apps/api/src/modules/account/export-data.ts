import { sql } from 'kysely';
import { contactEmail } from '../../database/contact.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { PersonalData } from './account.ts';
import { listSessions } from './my-sessions.ts';
import { listPasskeys } from './passkeys.ts';
import { profileOf } from './profile.ts';

const iso = (at: Date): string => at.toISOString();

/** Changes of their address that a user can undo. */
async function emailChangesOf(db: Db, userId: string) {
  const changes = db.selectFrom('email_change').select(['old_email', 'new_email', 'undo_until']);
  const rows = await changes.where('user_id', '=', userId).orderBy('undo_until').execute();
  return rows.map(row => ({ from: row.old_email, to: row.new_email, undoUntil: iso(row.undo_until) }));
}

type DeviceElsewhere = { customer: string; subscription: string; name: string; createdAt: string };

/** The user's devices at customers whose data their export does not have, with the use that they alone read. */
async function devicesElsewhere(db: Db) {
  const { rows } = await sql<{ devices: DeviceElsewhere[] }>`
    select devices_of_user(true) as devices`.execute(db);
  return rows[0]!.devices.map(device => ({ ...device, createdAt: iso(new Date(device.createdAt)) }));
}

/** Export of everything the shop stores about a user, their devices elsewhere included, and about the customer of their ID, which is theirs (S83). */
export async function exportData(
  deps: { db: Db; clock: Clock; live: LiveBus; personal: readonly PersonalData[] },
  { userId, sessionId }: { userId: string; sessionId: string },
) {
  const { db, clock, personal } = deps;
  const { id, email, name, accountName, language, createdAt, totp, emailsOff, customers } = await profileOf(
    db,
    userId,
  );
  const sessions = await listSessions(deps, userId, sessionId);
  return {
    exportedAt: iso(clock.now()),
    account: { id, email, name, accountName, language, createdAt, totp, emailsOff, customers },
    sessions: sessions.map(({ device, createdAt, lastUsedOn }) => ({ ...device, createdAt, lastUsedOn })),
    emailChanges: await emailChangesOf(db, userId),
    passkeys: await listPasskeys(db, userId),
    devicesElsewhere: await devicesElsewhere(db),
    ...(await sectionsOf(db, personal, userId)),
  };
}

/** Export of everything that the shop stores about the customer of a session, for an owner who may not be its founder (S83). */
export async function exportAccount(
  { db, clock, personal }: { db: Db; clock: Clock; personal: readonly PersonalData[] },
  customerId: string,
) {
  const { display_name, email } = await db
    .selectFrom('customer')
    .select(['display_name', contactEmail.as('email')])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return {
    exportedAt: iso(clock.now()),
    account: { id: customerId, name: display_name ?? email },
    ...(await sectionsOf(db, personal, customerId)),
  };
}

/** What each module stores about a customer. */
async function sectionsOf(db: Db, personal: readonly PersonalData[], customerId: string) {
  const sections = await Promise.all(personal.map(({ exportOf }) => exportOf?.(db, customerId)));
  return Object.assign({}, ...sections);
}
