import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placesView } from '../../src/modules/catalog/view.ts';
import {
  leaveHost,
  provisioningTasks,
  releaseAddress,
  reserveAddress,
} from '../../src/modules/provisioning/index.ts';
import { assignRevision } from '../../src/modules/provisioning/pending-change.ts';
import { lockSubscription } from '../../src/modules/subscription/store.ts';
import { transitionSubscription } from '../../src/modules/subscription/transition.ts';
import { taskNamed } from '../helpers/task-named.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** Which host and address a subscription gets, and for how long. */
const DAY_MS = 24 * 60 * 60_000;
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

/** Whether the place is offered as having room. */
const offered = async () =>
  (await asApplication(() => placesView(places.db, places.clock.now(), { region: 'th-bkk' }))).offers[0]
    ?.waits === false;
const identities = async () =>
  (await places.all.selectFrom('subscription_identity').select('subscription_id').execute()).map(
    row => row.subscription_id,
  );
const task = (name: string) =>
  asApplication(() =>
    taskNamed(provisioningTasks, name, { ...places, startedAt: places.systemClock.now() }).run(),
  );
const leave = (id: string) =>
  places.inTransaction(async tx => {
    await leaveHost(places, tx, id);
    await reserveAddress(places, tx, id);
  });
const reactivate = async (id: string) =>
  places.inTransaction(async tx => {
    await tx.updateTable('subscription').set({ status: 'expired' }).where('id', '=', id).execute();
    return transitionSubscription(places, tx, (await lockSubscription(tx, id))!, 'reactivate');
  });

describe('FC16 a host', () => {
  test('is chosen when it runs the fewest subscriptions', async () => {
    await places.host('busy', '198.51.100.0/28');
    for (let n = 0; n < 2; n += 1) await places.placed();
    await places.host('new', '203.0.113.0/28');
    const chosen = [];
    for (let n = 0; n < 6; n += 1)
      chosen.push((await places.assignmentsOf((await places.placed()).id))[0]!.host_id);
    expect(chosen).toEqual(['new', 'new', 'busy', 'new', 'busy', 'new']);
  });

  test('is not chosen when it has no address, is full, or is retired', async () => {
    await places.host('tiny', '198.51.100.1/32');
    await places.host('gone', '198.51.100.2/32');
    await places.host('full', '198.51.100.16/28');
    await places.all.updateTable('host').set({ status: 'retired' }).where('id', '=', 'gone').execute();
    const { id } = await places.placed();
    expect(await places.assignmentsOf(id)).toEqual([{ host_id: 'full', status: 'desired' }]);
    expect(await offered()).toBe(true);
    const row = await places.all.selectFrom('assignment').selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 2038 }, (_, n) => ({
      ...row,
      id: `asg_${n}`,
      slot: n + 2,
      status: 'leaving' as const,
    }));
    await places.all.insertInto('assignment').values(others).execute();
    expect(await offered()).toBe(true);
    expect((await places.assignmentsOf((await places.placed()).id))[0]!.host_id).toBe('tiny');
    expect(await offered()).toBe(false);
    const waits = await places.subscription();
    expect(await places.inTransaction(tx => places.place(tx, waits))).toBe(false);
    expect(await places.addressOf(waits.id)).toBeUndefined();
    await places.all.deleteFrom('assignment').where('host_id', '=', 'full').where('slot', '=', 7).execute();
    expect(await offered()).toBe(true);
  });

  // A search must not lock an address of each host: the next buyer would find none.
  test('is found by two concurrent buyers when there are two addresses', async () => {
    await places.host('one', '198.51.100.1/32');
    await places.host('two', '198.51.100.2/32');
    const [first, second] = [await places.subscription(), await places.subscription()];
    const both = await places.inTransaction(async tx => [
      await places.place(tx, first),
      await places.inTransaction(other => places.place(other, second)),
    ]);
    expect(both).toEqual([true, true]);
    expect(new Set([await places.addressOf(first.id), await places.addressOf(second.id)]).size).toBe(2);
  });

  test('keeps an assignment that leaves while the next host gets the same address and identity', async () => {
    await places.host('old', '198.51.100.1/32');
    const subscription = await places.placed();
    const address = await places.addressOf(subscription.id);
    await places.host('next', '203.0.113.0/28');
    await places.inTransaction(tx => leaveHost(places, tx, subscription.id));
    await places.all
      .updateTable('address_pool')
      .set({ host_id: 'next' })
      .where('host_id', '=', 'old')
      .execute();
    for (let n = 0; n < 2; n += 1) await places.inTransaction(tx => places.place(tx, subscription));
    expect(await places.assignmentsOf(subscription.id)).toEqual([
      { host_id: 'next', status: 'desired' },
      { host_id: 'old', status: 'leaving' },
    ]);
    expect(await places.addressOf(subscription.id)).toBe(address);

    // The first host is deleted: the identity does not belong to it.
    await places.all.deleteFrom('assignment').where('host_id', '=', 'old').execute();
    await task('forgetIdentities');
    expect(await identities()).toEqual([subscription.id]);
  });
});

describe('FC16 an address', () => {
  test('belongs to a range of any size', async () => {
    const sizes = { '192.0.2.9/32': 1, '192.0.2.10/31': 2, '192.0.2.16/28': 14, '198.51.100.0/22': 1022 };
    for (const [prefix, size] of Object.entries(sizes)) {
      await places.host(prefix, prefix);
      const addresses = places.all.selectFrom('static_ip').select('address').where('pool_id', '=', prefix);
      expect(await addresses.execute(), prefix).toHaveLength(size);
      await places.placed();
    }
    expect((await places.all.selectFrom('assignment').select('host_id').execute()).length).toBe(4);
  });

  test('is in one range only', async () => {
    await places.host('one', '198.51.100.0/24');
    await expect(places.host('two', '198.51.100.16/28')).rejects.toThrow();
  });

  test('is reserved for thirty days, cools down for seven, and is sold again; its identity ends with it', async () => {
    await places.host('only', '198.51.100.1/32');
    const first = await places.placed();
    await leave(first.id);
    await places.pass(30 * DAY_MS - 1);
    await task('giveUpAddresses');
    expect(await places.addressOf(first.id)).toBe('198.51.100.1');
    await places.pass(1);
    await task('giveUpAddresses');
    expect(await places.addressOf(first.id)).toBeUndefined();

    // The host may still run it, so the identity is not deleted yet.
    await task('forgetIdentities');
    expect(await identities()).toEqual([first.id]);
    await places.all.deleteFrom('assignment').execute();
    await task('forgetIdentities');
    expect(await identities()).toEqual([]);

    const next = await places.subscription();
    await places.pass(7 * DAY_MS - 1);
    expect(await places.inTransaction(tx => places.place(tx, next))).toBe(false);
    await places.pass(1);
    expect(await places.inTransaction(tx => places.place(tx, next))).toBe(true);
  });

  // A reactivation at the last moment, or without a free host, must keep the address.
  test('stays with a subscription that is reactivated in time', async () => {
    await places.host('only', '198.51.100.0/30');
    const [waiting, late] = [await places.placed(), await places.placed()];
    for (const { id } of [waiting, late]) await leave(id);
    await places.pass(29 * DAY_MS);
    await reactivate(waiting.id);
    await places.pass(2 * DAY_MS);
    const lock = `update static_ip set reserved_until = null where subscription_id = '${late.id}'`;
    await whileLocked({ db: places.all, databaseUrl: places.databaseUrl }, lock, () =>
      task('giveUpAddresses'),
    );
    expect(await places.addressOf(waiting.id)).toBeDefined();
    expect(await places.addressOf(late.id)).toBeDefined();
    const ended = places.all.selectFrom('subscription_identity').where('ended_at', 'is not', null);
    expect(await ended.selectAll().execute()).toEqual([]);
  });

  // Otherwise existing files would stop working after the reactivation.
  test('and its identity survive a reactivation that is concurrent with their deletion', async () => {
    const { id } = await places.subscription();
    await places.inTransaction(tx => releaseAddress(places, tx, id));
    const resumed = `update subscription_identity set ended_at = null where subscription_id = '${id}'`;
    await whileLocked({ db: places.all, databaseUrl: places.databaseUrl }, resumed, () =>
      task('forgetIdentities'),
    );
    expect(await identities()).toEqual([id]);
  });
});

describe('FM8 what a host reports', () => {
  const key = async (subscription: { id: string; customerId: string }) => {
    const id = `key_${subscription.id}`;
    await places.all
      .insertInto('vpn_key')
      .values({
        id,
        subscription_id: subscription.id,
        customer_id: subscription.customerId,
        name: 'phone',
        address: 2,
        created_at: places.clock.now(),
      })
      .execute();
    return id;
  };
  const used = (keyId: string, downBytes: number, upBytes: number) => [
    { keyId, day: '2026-11-20', downBytes, upBytes },
  ];
  const usage = () =>
    places.all.selectFrom('key_usage').select(['down_bytes as down', 'up_bytes as up']).execute();

  test('S79 FC16 of usage only grows, and counts only for the host of the key', async () => {
    await places.host('mine', '198.51.100.0/28');
    await places.host('other', '203.0.113.0/28');
    const mine = await places.placed();
    expect((await places.assignmentsOf(mine.id))[0]!.host_id).toBe('mine');
    const id = await key(mine);
    await places.report('mine', { usage: used(id, 100, 50) });
    for (const [down, up] of [
      [40, 60],
      [0, 0],
    ] as const)
      await places.report('mine', { usage: used(id, down, up) });
    expect(await usage()).toEqual([{ down: 100, up: 60 }]);
    await places.report('other', { usage: used(id, 9_999, 9_999) });
    expect(await usage()).toEqual([{ down: 100, up: 60 }]);
  });

  // Totals of different machines must not be compared with each other.
  test('FV15 of usage is summed over machines and hosts, with the last report of a host that is left', async () => {
    await places.host('old', '198.51.100.1/32');
    const subscription = await places.placed();
    const id = await key(subscription);
    await places.report('old', { usage: used(id, 100, 50) });
    await places.report('old', { epoch: 'again', usage: used(id, 30, 20) });
    await places.inTransaction(tx => leaveHost(places, tx, subscription.id));
    const revision = await asApplication(async () => (await assignRevision(places.db, 'old')).now);
    await places.report('old', { revision, epoch: 'again', usage: used(id, 35, 20) });
    expect(await places.assignmentsOf(subscription.id)).toEqual([]);
    // The second part of the same report.
    await places.report('old', { revision, epoch: 'again', usage: used(id, 36, 20) });
    const down = (await usage()).reduce((sum, row) => sum + row.down, 0);
    expect(down).toBe(136);
  });

  // Otherwise the old slot would stay taken, and the host would fill up.
  test('frees the old slot of a subscription that left and came back, once it runs in its new one', async () => {
    await places.host('only', '198.51.100.1/32');
    const subscription = await places.placed();
    await leave(subscription.id);
    await places.inTransaction(tx => places.place(tx, subscription));
    const report = (revision: number) =>
      places.report('only', { revision, subscriptions: [{ id: subscription.id, state: 'up' }] });
    // The host does not have the new one yet.
    await report(1);
    expect(await places.assignmentsOf(subscription.id)).toHaveLength(2);
    await report(await asApplication(async () => (await assignRevision(places.db, 'only')).now));
    expect(await places.assignmentsOf(subscription.id)).toEqual([{ host_id: 'only', status: 'up' }]);
  });

  // One UPDATE per subscription under the lock of the host's row took 74 s for 120 orders.
  test('is recorded in as many statements for 120 subscriptions as for one', async () => {
    await places.host('large', '198.51.100.0/24');
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const through = places.db.withPlugin(counting);
    const all: { id: string; state: 'up' }[] = [];
    const count = async () => {
      statements = 0;
      const { up } = (await places.report('large', { subscriptions: all }, through))!;
      return { statements, up: up.length };
    };
    all.push({ id: (await places.placed()).id, state: 'up' });
    const one = await count();
    expect(one.up).toBe(1);
    for (let n = 0; n < 120; n += 1) all.push({ id: (await places.placed()).id, state: 'up' });
    expect(await count()).toEqual({ statements: one.statements, up: 120 });
    expect(await count()).toEqual({ statements: one.statements, up: 0 });
  });

  // Fulfilment must not wait for the row of the host.
  test('delays neither an order nor another host', async () => {
    await places.host('only', '198.51.100.0/28');
    const [first, second] = [await places.placed(), await places.subscription()];
    const answered = await places.all.transaction().execute(async report => {
      await report.updateTable('host').set({ seen_at: places.clock.now() }).execute();
      await report
        .updateTable('assignment')
        .set({ status: 'up' })
        .where('subscription_id', '=', first.id)
        .execute();
      const order = places.inTransaction(tx => places.place(tx, second));
      const late = new Promise(done => setTimeout(done, 30_000, 'waits for the report'));
      return Promise.race([order, late]);
    });
    expect(answered).toBe(true);
  });
});
