import { createHash } from 'node:crypto';
import type { DesiredSet } from '@fixpoint/contract/agent.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import { renewed } from '../../../../agent/src/identity.ts';
import { liveBus } from '../../../src/adapters/postgres-bus.ts';
import { notifyFairUse } from '../../../src/modules/bandwidth/index.ts';
import { leaveUnusableHost } from '../../../src/modules/provisioning/assign-host.ts';
import { desiredSet } from '../../../src/modules/provisioning/desired-set.ts';
import {
  fencedHostOf,
  fenceMachine,
  recordMachineStopped,
} from '../../../src/modules/provisioning/fenced-host.ts';
import { followMigration } from '../../../src/modules/provisioning/migrate-host.ts';
import { noLogsProofs } from '../../../src/modules/provisioning/no-logs-proofs.ts';
import { assignRevision, overtakeHost } from '../../../src/modules/provisioning/pending-change.ts';
import { recordReport } from '../../../src/modules/provisioning/reports.ts';
import { alertSilentHostsTask } from '../../../src/modules/provisioning/tasks/alert-silent-hosts.ts';
import { waitingForHost } from '../../../src/modules/subscription/place-waiting.ts';
import type { AddressRoutings } from '../../../src/ports/address-routing.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { taskNamed } from '../../helpers/task-named.ts';
import type { Coverage } from './coverage.ts';

const noJobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };
/** Opens the filler's values, which were never sealed. */
const opensNothing = {
  openServerKey: () => '',
  openTlsCrypt: () => '',
  newClient: async () => ({ certificate: '', privateKey: '', serial: '1' }),
} as unknown as Signer;

/** Covers a host with hundreds of subscriptions that polls and reports, and full places that get room. */
export async function coverHosts(run: Coverage): Promise<void> {
  const { shop, app } = run;
  const hostId = 'host-7';
  await assignRevision(app, hostId);
  await assignRevision(app, hostId);
  await overtakeHost(app, hostId, 0);
  const set = await desiredSet(app, opensNothing, shop.clock.now(), hostId, 0);
  for (let n = 0; n < 2; n += 1)
    await desiredSet(app, opensNothing, shop.clock.now(), hostId, set.revision - 1);
  for (let n = 0; n < 3; n += 1) await report(run, hostId, set, n);
  await renewed(shop.host.identity, shop.host.shop);
  await takeFreeAddresses(run);
  await leaveSilent(run);
  await tellSilent(run);
  await endAndMove(run, hostId);
}

/** Replaces a machine, moves a pool to the next host, and requests delivery checks. */
async function endAndMove({ shop, app }: Coverage, hostId: string): Promise<void> {
  const hash = createHash('sha256').update('the machine before').digest();
  const deps = { db: app, clock: shop.clock, live: liveBus };
  const machine = { id: hostId, certificate_hash: hash, previous_certificate_hash: null };
  await fenceMachine(app, { ...machine, seen_at: shop.clock.now() }, null);
  if ((await fencedHostOf(app, hash)) !== hostId) throw new Error('It is not known any more');
  await recordMachineStopped(deps, hash);
  await sql`delete from fenced_host where host_id = ${hostId}`.execute(shop.db);
  const { rows } = await sql<{ id: string }>`
    update address_pool set moving_from = ${hostId}, routed = true
    where id = (select id from address_pool where host_id <> ${hostId} limit 1) returning id`.execute(
    shop.db,
  );
  await followMigration({ db: app, routing: {} as AddressRoutings }, rows[0]!.id);
  await sql`update address_pool set moving_from = null`.execute(shop.db);
  await noLogsProofs(app);
}

/** Makes a host silent, long after this shop started. */
async function tellSilent({ shop, app }: Coverage): Promise<void> {
  const startedAt = shop.clock.now();
  const at = new Date(startedAt.getTime() + 10 * 60_000);
  const clock = { now: () => at };
  await sql`update host set seen_at = ${at} where id <> 'host-7' and status = 'active'`.execute(shop.db);
  await taskNamed([alertSilentHostsTask], 'tellSilentHosts', {
    db: app,
    clock,
    systemClock: clock,
    startedAt,
  }).run();
  await sql`delete from alert where kind = 'host.silent'`.execute(shop.db);
}

async function report({ shop, app }: Coverage, hostId: string, set: DesiredSet, n: number): Promise<void> {
  const day = bangkokDay(shop.clock.now());
  const keys = set.subscriptions.flatMap(({ keys }) => keys);
  await recordReport(
    {
      db: app,
      clock: shop.clock,
      systemClock: shop.clock,
      live: liveBus,
      publish: async (tx, event) =>
        event.type === 'usageGrew' ? notifyFairUse({ jobs: noJobs }, tx, event.used) : undefined,
    },
    hostId,
    {
      drift: [],
      epoch: '0'.repeat(32),
      revision: set.revision,
      agentVersion: 'run',
      openvpnVersion: 'none',
      subscriptions: set.subscriptions.map(({ id }, n) => ({
        id,
        state: 'up',
        ...(n === 0 && { reason: 'ownAddress' }),
      })),
      usage: keys.map(({ id }) => ({
        keyId: id,
        day,
        downBytes: shop.clock.now().getTime() + n,
        upBytes: 1_000_000_000,
      })),
    },
  );
}

/** Moves a subscription that never was active from a silent host to another one in its place. */
async function leaveSilent({ shop, app }: Coverage): Promise<void> {
  const { rows } = await sql<{ id: string; host: string }>`
    select assignment.subscription_id as id, host.id as host from host join assignment on assignment.host_id = host.id
    where host.id like 'host-%' and region_id = 'size-07' limit 1`.execute(shop.db);
  const subscription = rows[0]!;
  await sql`update host set seen_at = null where id = ${subscription.host}`.execute(shop.db);
  await leaveUnusableHost({ clock: shop.clock, live: liveBus }, app, subscription.id);
  const left =
    await sql`select from assignment where subscription_id = ${subscription.id} and status = 'leaving'`;
  if ((await left.execute(shop.db)).rows.length !== 1) throw new Error('It did not leave');
}

/** Gives every full place addresses at once, so that its oldest waiting subscriptions are found. */
async function takeFreeAddresses({ shop, app }: Coverage): Promise<void> {
  await sql`update host set seen_at = ${shop.clock.now()}`.execute(shop.db);
  await sql`insert into static_ip (address, pool_id, bind_address)
    select host(prefix)::inet + 510, id, host(prefix)::inet + 510 from address_pool
    where not exists (select from static_ip where pool_id = address_pool.id and subscription_id is null)
    on conflict do nothing`.execute(shop.db);
  const found = await waitingForHost(app, shop.clock.now());
  if (found.length === 0) throw new Error('Nobody waits');
  await sql`delete from static_ip where subscription_id is null and address = host((select prefix from address_pool
    where id = pool_id))::inet + 510`.execute(shop.db);
}
