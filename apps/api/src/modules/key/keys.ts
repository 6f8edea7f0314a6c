import type { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';
import { configurationFileName } from '@fixpoint/contract/configuration-file.ts';
import { FILE_ENDS_SOON_DAYS } from '@fixpoint/contract/files.ts';
import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { certificateEnd, decideAddKey } from '@fixpoint/domain/key/key.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { surplusKeys } from '@fixpoint/domain/subscription/upgrade.ts';
import { newId } from '../../crypto/secrets.ts';
import type { CustomerCaller } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { type LiveBus, memberRoom } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import { markDirty, serverOf } from '../provisioning/index.ts';
import { lockForDevices, refuseAction, stateOf, userOfDevice } from '../subscription/index.ts';
import { nthNewestFile, ownNumber, takenIn } from './device-limits.ts';
import { type Device, friendlyNameOf, profileVersion, renderProfile } from './profile.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Limit of files per subscription and period: each may stay on the host's revocation list for a year (S76). */
const [MOST_FILES, MOST_FILES_MS] = [200, 7 * DAY_MS];

export type KeyDeps = {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  signer: Signer;
  jobs: Jobs;
  live: LiveBus;
  brandName: string;
};

/** Tells the pages of a customer, and of the member who did it or whose device it is. */
async function notify(
  live: LiveBus,
  tx: Db,
  { customerId, userId, role }: { customerId: string; userId?: string | undefined; role: TeamRole },
  message: 'CREATE_KEY' | 'DELETE_KEY',
  subscriptionId: string,
): Promise<void> {
  const room = `customer:${customerId}` as const;
  const mine = userId ? memberRoom({ customerId, userId }) : room;
  const done = { message, status: 'success', code: '0000' } as const;
  await live.publish(tx, role === 'member' ? mine : room, 'NOTIFICATION', done);
  await live.publish(tx, room, 'SUBSCRIPTION', { event: 'detailFetch', id: subscriptionId });
}

/** Name of a key in files, and the owner's label and kind of the device. */
type Named = {
  name: string;
  label?: string | undefined;
  device?: (typeof deviceKinds)[number] | undefined;
};

type AddedKey = {
  id: string;
  createdAt: string;
  outdated: boolean;
  settingUp: boolean;
  blockWhenEnded: boolean;
};

/** Who changes a device. What a customer does in their own browser is not emailed to them. */
type Changer = CustomerCaller & { ownBrowser?: boolean };

/**
 * Adds a key for a device of a user. The lock on the subscription serializes parallel calls, and orders this one against the
 * removal of the user, which locks all subscriptions of the customer.
 * @param request.forUser whose device it is, if not the actor's: they get a link to its file
 */
export function addKey(
  deps: KeyDeps,
  actor: Changer,
  { subscriptionId, name, label, device, forUser }: Named & { subscriptionId: string; forUser?: string },
): Promise<Refusal | (Named & AddedKey)> {
  const { db, clock, jobs, live } = deps;
  const { customerId, ownBrowser } = actor;
  const isForOther = forUser !== undefined && forUser !== actor.userId;
  const userId = forUser ?? actor.userId;
  return db.transaction().execute(async tx => {
    const subscription = await lockForDevices(tx, customerId, subscriptionId);
    if (!subscription) return refuse('subscriptionNotFound');
    if (!(await worksFor(tx, { userId, customerId })))
      return refuse(isForOther ? 'userNotFound' : 'subscriptionNotFound');
    const allowed = can(stateOf(subscription), 'addKey', clock.now());
    if (!allowed.ok) return refuseAction(allowed.refusal);
    const existing = await takenIn(tx, actor, subscriptionId);
    const own = await ownNumber(tx, actor, subscriptionId);
    const decision = decideAddKey(name, existing, subscription.devices, own);
    if (!decision.ok) return refuse(decision.refusal);
    const id = newId('key');
    const now = clock.now();
    await tx
      .insertInto('vpn_key')
      .values({
        id,
        subscription_id: subscriptionId,
        customer_id: customerId,
        user_id: userId,
        name,
        label: label || null,
        device: device ?? null,
        address: decision.address,
        created_at: now,
      })
      .execute();
    await markDirty({ live }, tx, subscriptionId, { keyId: id, ends: false });
    await notify(live, tx, actor, 'CREATE_KEY', subscriptionId);
    if (isForOther)
      await live.publish(tx, memberRoom({ customerId, userId }), 'SUBSCRIPTION', {
        event: 'detailFetch',
        id: subscriptionId,
      });
    const of = userId === customerId ? { customerId } : { customerId, userId };
    const template = isForOther ? 'keyForYou' : 'keyAdded';
    if (isForOther || !ownBrowser) await jobs.enqueue(tx, 'sendEmail', { template, subjectId: id, ...of });
    return {
      id,
      name,
      ...(label && { label }),
      ...(device && { device }),
      createdAt: now.toISOString(),
      outdated: false,
      // Until its host has confirmed it.
      settingUp: true,
      blockWhenEnded: false,
    };
  });
}

/** Deletes a key. Its host then disconnects the device and refuses all of its files. */
export function deleteKey(
  deps: KeyDeps,
  { userId, customerId, role, ownBrowser }: Changer,
  subscriptionId: string,
  keyId: string,
) {
  return deps.db.transaction().execute(async (tx): Promise<Refusal | Record<string, never>> => {
    if (!(await lockForDevices(tx, customerId, subscriptionId))) return refuse('subscriptionNotFound');
    const by = { userId, role, ...(ownBrowser && { knownTo: userId }) };
    const ended = await endKey(deps, tx, { subscriptionId, customerId, ...by }, keyId);
    return ended ? {} : refuse('keyNotFound');
  });
}

/** Whether a user still works for a customer. Its founder does as long as they have its ID. */
const worksFor = async (tx: Db, { userId, customerId }: { userId: string; customerId: string }) =>
  (await (userId === customerId
    ? tx.selectFrom('customer').select('id').where('id', '=', customerId).where('founder_id', 'is', null)
    : tx
        .selectFrom('membership')
        .select('user_id as id')
        .where('customer_id', '=', customerId)
        .where('user_id', '=', userId)
  ).executeTakeFirst()) !== undefined;

/**
 * Deletes a key of a locked subscription: a member their own only.
 * @param of.knownTo the user who sees it happen @returns false for an unknown key
 */
export async function endKey(
  { clock, live, jobs }: Pick<KeyDeps, 'clock' | 'live' | 'jobs'>,
  tx: Db,
  of: { subscriptionId: string; customerId: string; knownTo?: string } & Partial<CustomerCaller>,
  keyId: string,
): Promise<boolean> {
  const { subscriptionId, customerId, knownTo, userId, role = 'owner' } = of;
  const deleted = await tx
    .updateTable('vpn_key')
    .set({ deleted_at: clock.now(), notify_at: null })
    .where('id', '=', keyId)
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .$if(role === 'member', qb => qb.where('user_id', '=', userId!))
    .returning('user_id')
    .executeTakeFirst();
  if (!deleted) return false;
  await tx.updateTable('certificate').set({ revoked: true }).where('key_id', '=', keyId).execute();
  await markDirty({ live }, tx, subscriptionId, { keyId, ends: true });
  await notify(live, tx, { customerId, userId, role }, 'DELETE_KEY', subscriptionId);
  const owner = deleted.user_id ?? customerId;
  // Their page cannot know it otherwise, once they have no part in the subscription any more.
  const theirs = memberRoom({ customerId, userId: owner });
  if (owner !== customerId)
    await live.publish(tx, theirs, 'SUBSCRIPTION', { event: 'fetch', id: subscriptionId });
  if (knownTo === owner) return true;
  const to = owner === customerId ? { customerId } : { customerId, userId: owner };
  await jobs.enqueue(tx, 'sendEmail', { template: 'keyDeleted', subjectId: keyId, ...to });
  return true;
}

/** Deletes the newest keys beyond the device limit of a plan, in the transaction that changes the plan. */
export async function dropSurplusKeys(
  deps: Pick<KeyDeps, 'clock' | 'live' | 'jobs'>,
  tx: Db,
  of: { subscriptionId: string; customerId: string },
  devices: number,
): Promise<void> {
  const keys = await tx
    .selectFrom('vpn_key')
    .select(['id', 'created_at as createdAt'])
    .where('subscription_id', '=', of.subscriptionId)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of surplusKeys(keys, devices)) await endKey(deps, tx, of, id);
}

/**
 * Creates a configuration file with a new key pair and certificate. Earlier files stay valid unless `revokeEarlier` is set
 * (K3, K5).
 */
export const downloadKey = (deps: KeyDeps, actor: CustomerCaller, request: FileRequest) =>
  deps.db.transaction().execute(tx => makeFile(deps, tx, actor, request));

type FileRequest = {
  subscriptionId: string;
  keyId: string;
  revokeEarlier?: boolean;
  smallPackets?: boolean;
  /** Absent: as chosen before. */
  blockWhenEnded?: boolean | undefined;
};

/**
 * Stores the choice that a device stays offline when its rights end. Its host ends the session accordingly, so it must know.
 * @returns the choice that holds now
 */
export async function chooseBlocking(
  { live }: Pick<KeyDeps, 'live'>,
  tx: Db,
  key: { id: string; subscription_id: string; block_when_ended: boolean },
  chosen: boolean | undefined,
): Promise<boolean> {
  if (chosen === undefined || chosen === key.block_when_ended) return key.block_when_ended;
  await tx.updateTable('vpn_key').set({ block_when_ended: chosen }).where('id', '=', key.id).execute();
  await markDirty({ live }, tx, key.subscription_id);
  return chosen;
}

/** Version of the files that a subscription would get now ({@link profileVersion}). */
export const fileVersion = (
  server: {
    publicAddress: string;
    port: number;
    tcpPort: number | null;
    serverName: string;
    ca: string;
  },
  device: Device,
) => profileVersion({ ...server, remoteAddress: server.publicAddress, device });

/** {@link downloadKey} in the caller's transaction. A copy of a colleague's file would outlast a removal: only its user gets it. */
export async function makeFile(deps: KeyDeps, tx: Db, actor: CustomerCaller, request: FileRequest) {
  const { systemClock, signer, live, brandName } = deps;
  const { subscriptionId, keyId } = request;
  const { customerId, userId } = actor;
  const subscription = await lockForDevices(tx, customerId, subscriptionId);
  if (!subscription) return refuse('subscriptionNotFound');
  const key = await tx
    .selectFrom('vpn_key')
    .select(['id', 'name', 'device', 'subscription_id', 'block_when_ended'])
    .where('id', '=', keyId)
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .where(userOfDevice, '=', userId)
    .executeTakeFirst();
  if (!key) return refuse('keyNotFound');
  const { device } = key;
  // The same rule as for adding a key.
  const allowed = can(stateOf(subscription), 'addKey', deps.clock.now());
  if (!allowed.ok) return refuseAction(allowed.refusal);
  const server = await serverOf(tx, subscriptionId);
  if (!server) return refuse('subscriptionNotActivated');

  // System time, because devices check certificates by it.
  const now = systemClock.now();
  const wait = await secondsToNextFile(tx, actor, subscriptionId, now);
  if (wait > 0) return { refusal: 'tooManyRequests' as const, retryAfterSeconds: wait };
  const notAfter = certificateEnd(now);
  const issued = await signer.newClient({ ...server, subscriptionId }, { keyId, now, notAfter });
  const blockWhenEnded = await chooseBlocking({ live }, tx, key, request.blockWhenEnded);
  if (request.revokeEarlier) {
    await tx
      .updateTable('certificate')
      .set({ revoked: true })
      .where('key_id', '=', keyId)
      .where('revoked', '=', false)
      .execute();
    await markDirty({ live }, tx, subscriptionId, { keyId, ends: true });
  }
  await tx
    .insertInto('certificate')
    .values({
      serial: issued.serial,
      key_id: keyId,
      customer_id: customerId,
      not_after: notAfter,
      profile_version: fileVersion(server, device),
    })
    .execute();
  // The notification is about this file now, no longer about the previous one.
  const tellAt = new Date(notAfter.getTime() - FILE_ENDS_SOON_DAYS * DAY_MS);
  await tx.updateTable('vpn_key').set({ notify_at: tellAt }).where('id', '=', keyId).execute();
  const profile = renderProfile({
    remoteAddress: server.publicAddress,
    port: server.port,
    tcpPort: server.tcpPort,
    serverName: server.serverName,
    ca: server.ca,
    certificate: issued.certificate,
    key: issued.privateKey,
    tlsCrypt: signer.openTlsCrypt({ subscriptionId, ...server }),
    friendlyName: friendlyNameOf(brandName, key.name),
    smallPackets: request.smallPackets === true,
    blockWhenEnded,
    device,
  });
  return {
    fileName: configurationFileName(brandName, key.name),
    profile,
    validUntil: notAfter.toISOString(),
  };
}

/** Seconds until a locked subscription may have another file; 0: now. Derives the creation time from the expiry. */
async function secondsToNextFile(
  tx: Db,
  actor: CustomerCaller,
  subscriptionId: string,
  now: Date,
): Promise<number> {
  const since = certificateEnd(new Date(now.getTime() - MOST_FILES_MS));
  const limiting = await nthNewestFile(tx, actor, subscriptionId, since, MOST_FILES);
  return limiting ? Math.ceil((limiting.getTime() - since.getTime()) / 1000) : 0;
}
