import { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { serverOf } from '../provisioning/index.ts';
import { userOfDevice, usersOf } from './users-of-devices.ts';

export type FileVersion = {
  /** Version of a configuration file that is created now, by its content. */
  fileVersion(
    server: NonNullable<Awaited<ReturnType<typeof serverOf>>>,
    device: (typeof deviceKinds)[number] | null,
  ): string;
};

/** SQL: a host of the subscription has not confirmed that a key exists, or (`ends`) that it ends or its files do. */
const isPending = (ends: boolean): RawBuilder<boolean> => sql<boolean>`exists (
  select from pending_change change join assignment
    on assignment.host_id = change.host_id and assignment.subscription_id = change.subscription_id
  where change.key_id = vpn_key.id and change.ends = ${ends} and (change.ends or assignment.status <> 'leaving'))`;

const named = ({ id, name, label }: { id: string; name: string; label: string | null }) => ({
  id,
  name,
  ...(label && { label }),
});

/**
 * Devices of a subscription that the caller sees, those whose end is not confirmed yet, and the forwarded port.
 * @param viewer.onlyOwn without devices of others
 * @param isStarting the host does not run the subscription yet
 */
export async function shownDevices(
  { db, fileVersion }: { db: Db } & FileVersion,
  { userId, onlyOwn }: { userId: string; onlyOwn: boolean },
  id: string,
  isStarting: boolean,
) {
  const server = await serverOf(db, id);
  const newest = new Map(
    server && [...deviceKinds, null].map(device => [device, fileVersion(server, device)]),
  );
  const rows = await db
    .selectFrom('vpn_key')
    .select(eb => [
      'id',
      'name',
      'label',
      'device',
      'created_at',
      'forwarded_port',
      'block_when_ended',
      'deleted_at',
      userOfDevice.as('user_id'),
      isPending(false).as('pending'),
      eb
        .selectFrom('certificate')
        .whereRef('certificate.key_id', '=', 'vpn_key.id')
        .where('revoked', '=', false)
        .select(sql<Date | null>`max(not_after)`.as('end'))
        .as('valid_until'),
      eb
        .selectFrom('certificate')
        .whereRef('certificate.key_id', '=', 'vpn_key.id')
        .where('revoked', '=', false)
        .orderBy('not_after', 'desc')
        // Two may be created in one moment: prefer the current version.
        .orderBy(of => of('profile_version', '=', sql<string>`any(${[...newest.values()]})`), 'desc')
        .limit(1)
        .select('profile_version')
        .as('profile_version'),
    ])
    .where('subscription_id', '=', id)
    .where(eb => eb.or([eb('deleted_at', 'is', null), isPending(true)]))
    .$if(onlyOwn, qb => qb.where(userOfDevice, '=', userId))
    .orderBy('created_at')
    .execute();
  const [keys, ending] = [rows.filter(key => !key.deleted_at), rows.filter(key => key.deleted_at)];
  const forwarded = keys.find(key => key.forwarded_port !== null);
  const users = await usersOf(db, userId, keys);
  return {
    ending: ending.map(named),
    keys: keys.map(key => ({
      ...named(key),
      ...users(key.user_id),
      ...(key.device && { device: key.device as (typeof deviceKinds)[number] }),
      createdAt: key.created_at.toISOString(),
      ...(key.valid_until && { validUntil: key.valid_until.toISOString() }),
      outdated: newest.size > 0 && ![null, newest.get(key.device)].includes(key.profile_version),
      settingUp: key.pending || isStarting,
      blockWhenEnded: key.block_when_ended,
    })),
    ...(forwarded && { forward: { port: forwarded.forwarded_port!, keyId: forwarded.id } }),
  };
}
