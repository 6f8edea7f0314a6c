import { asApplication } from '@fixpoint/api/database/scope.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { type GivenHosts, givenHosts } from '@fixpoint/testkit/given/hosts.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordReport } from '../../src/modules/provisioning/reports.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** Reports of one host that the shop receives in another order than the host sent them. */
const SECOND_MS = 1_000;
let hosts: GivenHosts;
let subscriptionId: string;
beforeAll(async () => {
  hosts = await givenHosts();
  await hosts.host('bkk-1', '198.51.100.0/28');
  ({ id: subscriptionId } = await hosts.placed());
});
afterAll(() => hosts?.stop());

const recorded = async () => {
  const { seen_at } = await hosts.all
    .selectFrom('host')
    .select('seen_at')
    .where('id', '=', 'bkk-1')
    .executeTakeFirstOrThrow();
  return { seen_at, states: (await hosts.assignmentsOf(subscriptionId)).map(({ status }) => status) };
};

/** A report that the shop received at this time. @param now what the clock says when it is recorded */
const reportAt = (at: Date, state: 'up' | 'failed', more: object = {}, now = at) => {
  const times = [at];
  const clock = { now: () => times.pop() ?? now };
  return asApplication(() =>
    recordReport({ ...hosts, clock, publish: async () => undefined }, 'bkk-1', {
      revision: 1,
      agentVersion: 'test',
      openvpnVersion: 'none',
      subscriptions: [{ id: subscriptionId, state }],
      drift: [],
      epoch: 'test',
      usage: [],
      ...more,
    }),
  );
};
const after = (ms: number) => new Date(hosts.clock.now().getTime() + ms);

test('a report that a later one has overtaken moves neither the time nor the states of its host back', async () => {
  const [earlier, later] = [after(SECOND_MS), after(2 * SECOND_MS)];
  expect(await reportAt(later, 'up')).toMatchObject({ up: [subscriptionId] });
  expect(await reportAt(earlier, 'failed')).toBeUndefined();
  expect(await recorded()).toEqual({ seen_at: later, states: ['up'] });
});

test('a report that was received before the shop clock was advanced does not either', async () => {
  const [earlier, later] = [after(2.5 * SECOND_MS), after(21 * 24 * 60 * 60 * SECOND_MS)];
  await reportAt(later, 'up');
  expect(await reportAt(earlier, 'failed', {}, later)).toBeUndefined();
  expect(await recorded()).toEqual({ seen_at: later, states: ['up'] });
  await hosts.all.updateTable('host').set({ seen_at: earlier }).execute();
});

test('of two concurrent reports the later one stays', async () => {
  const [earlier, later] = [after(3 * SECOND_MS), after(4 * SECOND_MS)];
  const usage = [{ keyId: 'key_none', day: '2026-11-19', downBytes: 1, upBytes: 1 }];
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(hosts.all);
    return rows.length;
  };
  let second: Promise<unknown> | undefined;
  await whileLocked(
    { db: hosts.all, databaseUrl: hosts.databaseUrl },
    `select pg_advisory_xact_lock(hashtextextended('usage of bkk-1', 0))`,
    () => reportAt(earlier, 'failed', { usage }),
    // The later report must not pass the earlier one, although it has no usage to record.
    async () => {
      let passed = false;
      second = reportAt(later, 'up').then(() => {
        passed = true;
      });
      await until(async () => passed || (await waiting()) === 2, 'the later report');
    },
  );
  await second;
  expect(await recorded()).toEqual({ seen_at: later, states: ['up'] });
});

test('a host reports on after a clock that was far ahead was corrected', async () => {
  const right = after(5 * SECOND_MS);
  await reportAt(after(60 * 60 * SECOND_MS), 'up');
  expect(await reportAt(right, 'failed')).toBeDefined();
  expect(await recorded()).toEqual({ seen_at: right, states: ['failed'] });
});
