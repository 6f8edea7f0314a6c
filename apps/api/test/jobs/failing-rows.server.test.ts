import { asApplication } from '@fixpoint/api/database/scope.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watched } from '../../src/jobs/scheduled-tasks.ts';
import { keyTasks } from '../../src/modules/key/index.ts';
import { paymentTasks } from '../../src/modules/payment/index.ts';
import { createHostCalls } from '../../src/modules/provisioning/host-calls.ts';
import { leaveHost, provisioningTasks } from '../../src/modules/provisioning/index.ts';
import { waitingForHost } from '../../src/modules/subscription/place-waiting.ts';
import { taskNamed } from '../helpers/task-named.ts';

/** A row that always fails does not delay others. */
const DAY_MS = 24 * 60 * 60_000;
const log = pino({ level: 'silent' });
let places: GivenHosts;
beforeEach(async () => {
  places = await givenHosts();
});
afterEach(() => places?.stop());

/**
 * Runs a scheduled task while the first of its two rows cannot be written, then once more without that fault.
 * @param isBroken SQL condition of the row that cannot be written
 * @param left number of rows that are still due
 */
async function keepsNoOther(
  name: string,
  table: string,
  broken: { isBroken: string; called: string },
  left: () => Promise<number>,
): Promise<void> {
  const { all } = places;
  const tasks = [...provisioningTasks, ...keyTasks, ...paymentTasks];
  const task = taskNamed(tasks, name, { ...places, gateways: {} });
  const { runAllTasks } = watched({ ...places, log }, [task]);
  const raised = () => all.selectFrom('open_alert').select(['kind', 'subject', 'what']).execute();
  await sql
    .raw(`
    create or replace function breaks() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger breaks before update or delete on ${table} for each row when (${broken.isBroken})
      execute function breaks()`)
    .execute(all);
  expect(await left(), name).toBe(2);
  await asApplication(runAllTasks);
  expect(await raised()).toEqual([{ kind: 'task.failing', subject: name, what: { rows: broken.called } }]);
  expect(await left(), name).toBe(1);
  await sql.raw(`drop trigger breaks on ${table}`).execute(all);
  await asApplication(runAllTasks);
  expect(await raised()).toEqual([]);
  expect(await left(), name).toBe(0);
}
const at = (ms: number) => new Date(places.clock.now().getTime() + ms);
const count = async (query: { execute(): Promise<unknown[]> }) => (await query.execute()).length;

test('FC6 a row that fails comes first each minute and does not starve others', async () => {
  await places.host('only', '198.51.100.0/28');
  const both = [await places.placed(), await places.placed()];
  const [{ id }] = both as [{ id: string }, unknown];
  const isBroken = `old.subscription_id = '${id}'`;
  const due = async (table: 'static_ip' | 'vpn_key' | 'saved_method', column: string) =>
    count(places.all.selectFrom(table).selectAll().where(sql.ref(column), '<=', places.clock.now()));
  for (const [n, { id: subscription_id, customerId: customer_id }] of both.entries()) {
    await places.all
      .updateTable('static_ip')
      .set({ notify_at: at(n - 2), reserved_until: at(DAY_MS + n) })
      .where('subscription_id', '=', subscription_id)
      .execute();
    const key = { id: `key_${n}`, subscription_id, customer_id, name: 'phone', address: 2 };
    await places.all
      .insertInto('vpn_key')
      .values({ ...key, created_at: at(0), notify_at: at(n - 2) })
      .execute();
    await places.all
      .insertInto('certificate')
      .values({ serial: `${n}`, key_id: key.id, customer_id, not_after: at(-DAY_MS), profile_version: '1' })
      .execute();
    const payer = { id: `pay_${n}`, customer_id, provider: 'stripe' as const, created_at: at(0) };
    await places.all.insertInto('gateway_customer').values(payer).execute();
    await places.all
      .insertInto('saved_method')
      .values({
        id: `pm_${n}`,
        customer_id,
        method: 'card',
        gateway_customer_id: payer.id,
        provider_ref: `ref_${n}`,
        fingerprint: `f_${n}`,
        brand: 'visa',
        last4: '4242',
        expiry_month: 12,
        expiry_year: 2030,
        is_default: false,
        created_at: at(0),
        notify_at: at(n - 2),
      })
      .execute();
  }
  const keys = () => due('vpn_key', 'notify_at');
  await keepsNoOther('tellFilesEnd', 'vpn_key', { isBroken, called: id }, keys);
  const cards = () => due('saved_method', 'notify_at');
  await keepsNoOther(
    'tellCardExpiry',
    'saved_method',
    { isBroken: `old.id = 'pm_0'`, called: 'pm_0' },
    cards,
  );
  const tells = () => due('static_ip', 'notify_at');
  await keepsNoOther('tellHolders', 'static_ip', { isBroken, called: id }, tells);
  await places.pass(2 * DAY_MS);
  const held = () => due('static_ip', 'reserved_until');
  await keepsNoOther('giveUpAddresses', 'static_ip', { isBroken, called: id }, held);
});

test('FC6 a host that cannot be cleared does not starve others', async () => {
  for (const [n, host] of ['first', 'second'].entries()) {
    await places.host(host, `198.51.100.${n}/32`);
    const { id } = await places.placed();
    await places.inTransaction(tx => leaveHost(places, tx, id));
  }
  await places.all.updateTable('host').set({ status: 'retired' }).execute();
  const left = () => count(places.all.selectFrom('assignment').selectAll());
  const broken = { isBroken: `old.host_id = 'first'`, called: 'first' };
  await keepsNoOther('forgetStopped', 'assignment', broken, left);
});

test('FC6 a place with many waiting subscriptions does not starve others', async () => {
  for (let n = 0; n < 51; n += 1) await places.subscription();
  const { id: elsewhere } = await places.subscription();
  await places.all
    .updateTable('subscription')
    .set({ product_id: 'solo-1m-hetzner-sg-sin-fixpoint' })
    .where('id', '=', elsewhere)
    .execute();
  const waiting = () => asApplication(() => waitingForHost(places.db, places.clock.now()));
  await places.host('here', '198.51.100.1/32');
  expect((await waiting()).sort()).toEqual(Array.from({ length: 50 }, (_, n) => `sub_${n + 1}`).sort());
  await places.host('there', '203.0.113.1/32');
  for (const table of ['host', 'address_pool'] as const)
    await places.all
      .updateTable(table)
      .set({ provider_id: 'hetzner', region_id: 'sg-sin' })
      .where(table === 'host' ? 'id' : 'host_id', '=', 'there')
      .execute();
  const ids = await waiting();
  expect(ids).toHaveLength(51);
  expect(ids).toContain(elsewhere);
});

test('FC6 a subscription that cannot be activated does not stop the others in its host’s report', async () => {
  await places.host('only', '198.51.100.0/28');
  const subscriptions = [await places.placed(), await places.placed()].map(({ id }) => ({
    id,
    state: 'up' as const,
  }));
  const told: string[] = [];
  const calls = createHostCalls({
    ...places,
    log,
    signer: {} as never,
    authority: {} as never,
    waitForChange: async () => false,
    questionsTo: () => [],
    redeemQuestion: () => false,
    async publish(_, event) {
      if (event.type !== 'subscriptionUp') return;
      told.push(event.subscriptionId);
      if (told.length === 1) throw new Error('cannot be activated');
    },
  });
  const report = {
    revision: 1,
    agentVersion: 'test',
    openvpnVersion: 'none',
    subscriptions,
    drift: [],
    epoch: 'test',
    usage: [],
  };
  await asApplication(() => calls.report('only', report));
  expect(told.sort()).toEqual(subscriptions.map(({ id }) => id).sort());
});
