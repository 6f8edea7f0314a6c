import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { PersonalData } from './account.ts';
import { listSessions } from './my-sessions.ts';
import { listPasskeys } from './passkeys.ts';
import { profileOf } from './profile.ts';

const iso = (at: Date): string => at.toISOString();

/** Export of everything the shop stores about a customer (S83). */
export async function exportData(
  deps: { db: Db; clock: Clock; live: LiveBus; personal: readonly PersonalData[] },
  { customerId, sessionId }: { customerId: string; sessionId: string },
) {
  const { db, clock, personal } = deps;
  const { id, email, name, accountName, language, createdAt, totp, emailsOff } = await profileOf(
    db,
    customerId,
  );
  const others = personal.map(({ exportOf }) => exportOf?.(db, customerId));
  const sessions = await listSessions(deps, customerId, sessionId);
  return {
    exportedAt: iso(clock.now()),
    account: { id, email, name, accountName, language, createdAt, totp, emailsOff },
    sessions: sessions.map(({ device, createdAt, lastUsedOn }) => ({ ...device, createdAt, lastUsedOn })),
    passkeys: await listPasskeys(db, customerId),
    ...Object.assign({}, ...(await Promise.all(others))),
  };
}
