import { readFile } from 'node:fs/promises';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { beginOrder, cardPaymentOf, confirmCard, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAlertCounts, raiseAlert, resolveAlert, syncAlerts } from '../../src/modules/alert/index.ts';
import { alertKinds } from '../../src/modules/alert/kinds.ts';
import { proveHuman } from '../helpers/people.ts';
import { shopCommand } from '../helpers/shop-command.ts';

let shop: TestShop;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  shop = await startTestShop(
    { LOG_LEVEL: 'silent', METRICS_PORT: String(metricsPort) },
    undefined,
    undefined,
    ['jobs'],
  );
});
afterAll(() => shop?.stop());
const command = (...args: string[]) => shopCommand(shop, 'alerts', ...args);

test('FM9 a job that was given up raises an alert, and runs after alerts retry', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const order = { ...consent, email: 'stuck@example.com', language: 'en' as const };
  const bought = await shop.client.order.purchase({ body: order });
  // An order that cannot be delivered, whose job gives up at its first failure.
  await sql`update shop_order set language = null`.execute(shop.db);
  await sql`create function once() returns trigger language plpgsql as $$ begin new.retry_limit = 0; return new; end $$`.execute(
    shop.db,
  );
  await sql`create trigger once before insert on pgboss.job for each row execute function once()`.execute(
    shop.db,
  );
  await confirmCard(shop, cardPaymentOf(bought.data));
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const row = await until(
    () => shop.db.selectFrom('open_alert').selectAll().where('kind', '=', 'job.dead').executeTakeFirst(),
    'the alert of the dead job',
  );

  const listed = (await command()).stdout;
  expect(listed).toContain(alertKinds['job.dead'].summary);
  expect(listed).toContain(`orderId ${row.what.orderId}`);
  expect(listed).toContain(`npm run shop -- alerts retry ${row.subject}`);

  await sql`drop trigger once on pgboss.job`.execute(shop.db);
  await sql`update shop_order set language = 'en'`.execute(shop.db);
  expect(await command('retry', row.subject)).toMatchObject({ code: 0 });
  await until(
    async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.status === 'fulfilled',
    'the order',
  );
  expect((await command()).stdout).toBe('No alert is open.\n');
});

test('FM9 emails that the mail server refuses raise an alert long before their jobs are given up', async () => {
  const failing = () =>
    shop.db.selectFrom('open_alert').select(['subject', 'what']).where('kind', '=', 'job.failing').execute();
  await shop.sandbox.fault({ provider: 'mail' }, 'tryLater', 1000);
  const account = { email: 'waits@example.com', password: PASSWORD, language: 'en' as const };
  const { version: termsVersion } = (await shop.client.text.getTerm()).data!;
  await shop.client.customer.register({
    body: { ...account, termsVersion, humanCheck: await proveHuman(shop) },
  });
  const retried = () =>
    sql<{ name: string }>`select name from pgboss.job where state = 'retry'`.execute(shop.db);
  await until(async () => (await retried()).rows.length > 0, 'the email was refused');
  // A first refusal raises no alert.
  await shop.sweep();
  expect(await failing()).toEqual([]);
  // The job waits after many tries.
  const wait = sql`update pgboss.job set retry_count = 9, start_after = now() + interval '1 hour' where state = 'retry'`;
  await until(async () => (await wait.execute(shop.db)).numAffectedRows! > 0n, 'the email waits');
  await shop.sweep();
  expect(await failing()).toContainEqual({ subject: 'sendCode', what: { jobs: 1 } });
  expect((await command()).stdout).toContain('job.failing  sendCode');
  await shop.sandbox.calm();
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(shop.db);
  await until(async () => (await retried()).rows.length === 0, 'the email went');
  await shop.sweep();
  expect(await failing()).toEqual([]);
});

test('FM9 staff resolve an alert once', async () => {
  await raiseAlert(shop.db, shop.clock.now(), { kind: 'dispute', subject: 'dp_1' });
  shop.clock.advance(60_000);
  await raiseAlert(shop.db, shop.clock.now(), { kind: 'dispute', subject: 'dp_1' });
  expect((await command()).stdout).toMatch(
    /dispute {2}dp_1 {2}\(warning, since .* UTC, 2 times, last .* UTC\)/,
  );
  expect(await command('retry', 'dp_1')).toMatchObject({
    code: 1,
    stderr: 'Nothing of dp_1 can be retried.\n',
  });
  expect(await command('resolve', 'dp_1')).toMatchObject({ code: 0 });
  expect(await command('resolve', 'dp_1')).toMatchObject({
    code: 1,
    stderr: 'dp_1 has no open alert.\n',
  });
});

test('FM9 a subject with two alerts needs the kind, and only that alert is resolved', async () => {
  const now = shop.clock.now();
  for (const kind of ['host.overtaken', 'delivery.failed'] as const)
    await raiseAlert(shop.db, now, { kind, subject: 'bkk-9' });
  expect((await command()).stdout).toContain('npm run shop -- alerts resolve bkk-9 --kind host.overtaken');
  expect(await command('resolve', 'bkk-9')).toMatchObject({
    code: 1,
    stderr: 'bkk-9 has several alerts. Name one kind: delivery.failed, host.overtaken\n',
  });
  expect(await command('resolve', 'host.clock', 'bkk-9')).toMatchObject({
    code: 1,
    stderr: 'bkk-9 has no open alert of the kind host.clock.\n',
  });
  expect(await command('resolve', 'host.overtaken', 'bkk-9')).toMatchObject({ code: 0 });
  const left = (await command()).stdout;
  expect(left).toContain('delivery.failed  bkk-9');
  expect(left).not.toContain('host.overtaken  bkk-9');
  expect(await command('resolve', 'bkk-9')).toMatchObject({ code: 0 });
});

test('FM9 amounts of an alert are printed as money', async () => {
  const now = shop.clock.now();
  const failed = { currency: 'THB', amount: 19_900 };
  await raiseAlert(shop.db, now, { kind: 'refund.failed', subject: 'ref_2', what: failed });
  const short = { currency: 'USD', received: 5, due: 1_250 };
  await raiseAlert(shop.db, now, { kind: 'attempt.short', subject: 'att_2', what: short });
  const { stdout } = await command();
  for (const says of ['amount THB 199.00', 'received USD 0.05', 'due USD 12.50'])
    expect(stdout).toContain(`\n  ${says}\n`);
  for (const subject of ['ref_2', 'att_2']) await command('resolve', subject);
});

test('a thousand alerts of one kind hide no other kind, and the list says how many there are', async () => {
  const now = shop.clock.now();
  const many = Array.from({ length: 1000 }, (_, n) => ({ subject: `stripe pi_${n}` }));
  await syncAlerts(shop.db, now, 'provider.differs', many);
  shop.clock.advance(60_000);
  await raiseAlert(shop.db, shop.clock.now(), { kind: 'refund.failed', subject: 'ref_1' });
  const { stdout } = await command();
  expect(stdout).toContain('refund.failed  ref_1');
  expect(stdout.match(/^provider\.differs {2}/gm)).toHaveLength(20);
  expect(stdout).toContain('\n\n… and 980 more of provider.differs, listed once these are resolved.\n');
  // The next of them follow.
  await syncAlerts(shop.db, now, 'provider.differs', many.slice(990));
  expect((await command()).stdout).toContain('provider.differs  stripe pi_999');
  await syncAlerts(shop.db, now, 'provider.differs', []);
  await resolveAlert(shop.db, shop.clock.now(), 'refund.failed', 'ref_1');
});

test('FM2 an alert of money due is resolved only by the command that books it', async () => {
  for (const [kind, subject] of [
    ['refund.failed', 'ref_1'],
    ['payment.unapplied', 'inv_1'],
  ] as const) {
    await raiseAlert(shop.db, shop.clock.now(), { kind, subject });
    const refused = await command('resolve', subject);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`npm run shop -- refund due ${subject} --reason TEXT`);
    expect((await command()).stdout).toContain(`${kind}  ${subject}`);
    await resolveAlert(shop.db, shop.clock.now(), kind, subject);
  }
});

const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
const ops = new URL('../../../../ops/', import.meta.url);

test('metrics expose exactly these gauges and labels', async () => {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter(Boolean);
  const series = lines.filter(line => !line.startsWith('#') && !/provisioning|last_hour|_jobs_/.test(line));
  for (const line of series)
    expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[^"]+"(,[a-z]+="[^"]*")*\})? \d+(\.\d+)?(e[-+]\d+)?$/);
  expect(series.map(line => line.replace(/ \S+$/, '')).sort()).toEqual(
    [
      ...Object.keys(alertKinds).map(kind => `fixpoint_alert_open{kind="${kind}"}`),
      'fixpoint_addresses_free{place="demo, th-bkk, fixpoint"}',
      ...['application', 'customers', 'members'].flatMap(pool =>
        ['used', 'idle', 'waiting'].map(
          state => `fixpoint_database_connections{pool="${pool}",state="${state}"}`,
        ),
      ),
      'fixpoint_disk_free_bytes',
      'fixpoint_entitlement_drift{host="bkk-1"}',
      'fixpoint_entitlement_drift{host="none"}',
      ...['enrolling', 'up', 'silent', 'draining', 'retired'].map(
        state => `fixpoint_hosts{state="${state}"}`,
      ),
      ...['database', 'migrations', 'clock', 'disk'].map(check => `fixpoint_ready{check="${check}"}`),
      'fixpoint_renewals_due',
      ...['desired', 'up', 'failed', 'leaving'].map(state => `fixpoint_tunnels{state="${state}"}`),
      ...['0.5', '0.99', '1'].map(quantile => `fixpoint_event_loop_held_seconds{quantile="${quantile}"}`),
      ...['user', 'system'].map(mode => `fixpoint_cpu_seconds{mode="${mode}"}`),
    ].sort(),
  );
});

test('metrics count sales by outcome, and measure the time from a purchase to its tunnel', async () => {
  // A scrape may get samples of up to 15 seconds before.
  for (const line of [
    'fixpoint_payments_last_hour{method="card",outcome="succeeded",cause="",renewal="false"} 1',
    'fixpoint_provisioning_seconds_count 1',
    'fixpoint_hosts{state="up"} 1',
    'fixpoint_tunnels{state="up"} 1',
  ])
    await until(async () => (await scrape()).includes(`\n${line}\n`), line);
});

test('every metric of the rules for Prometheus and of the dashboard exists, and each has its line for operators', async () => {
  const exposed = Array.from((await scrape()).matchAll(/^# TYPE (\w+)/gm), ([, name]) => name!);
  const [rules, dashboard, page] = await Promise.all(
    ['prometheus/rules.yaml', 'grafana/fixpoint.json', '../docs/operate/watching.md'].map(file =>
      readFile(new URL(file, ops), 'utf8'),
    ),
  );
  const named = Array.from(`${rules}${dashboard}`.matchAll(/fixpoint_\w+/g), ([name]) =>
    name.replace(/_bucket$/, ''),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(name => !exposed.includes(name))).toEqual([]);
  expect(exposed.filter(name => !page!.includes(`\`${name}\``))).toEqual([]);
});

test('FM9 open alerts are counted by kind, including 0', async () => {
  const counted = async () => (await openAlertCounts(shop.db)).dispute;
  const now = shop.clock.now();
  for (const subject of ['dp_2', 'dp_3']) await raiseAlert(shop.db, now, { kind: 'dispute', subject });
  expect(await counted()).toBe(2);
  for (const subject of ['dp_2', 'dp_3']) await resolveAlert(shop.db, now, 'dispute', subject);
  expect(await counted()).toBe(0);
});

test('the drift page shows the same differences of each host as the command', async () => {
  const page = async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/drift`);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    return (await answer.text()).replace(/<[^>]+>/g, ' ');
  };
  const command = () => shopCommand(shop, 'host', 'drift');
  await until(async () => /bkk-1 +nothing/.test(await page()), 'the host is as it was told');
  expect((await command()).stdout).toContain('All hosts match the paid entitlements.');
  shop.host.setDrift([{ what: 'rate', more: 0, missing: 2 }]);
  await shop.host.report();
  const says = 'rate classes: 0 too many, 2 missing';
  expect(await page()).toMatch(new RegExp(`1 of 1 differ.*bkk-1 +${says}`));
  expect(await command()).toMatchObject({ code: 1, stdout: expect.stringContaining(says) });
  shop.host.setDrift([]);
  await shop.host.report();
  expect(await page()).toContain('All hosts match the paid entitlements.');
});

test.each([
  [['mend'], /^SUBJECT is missing\n[\s\S]*alerts resolve SUBJECT/],
  [['solve', 'x'], /^alerts solve is not a command\.\n[\s\S]*alerts retry SUBJECT/],
  [['resolve', 'x', '--sort', 'y'], /^Unknown option: --sort\n[\s\S]*alerts resolve SUBJECT/],
  [['retry', 'x', 'y'], /^Unexpected argument: y\n[\s\S]*alerts retry SUBJECT/],
])('the command says what is wrong with its arguments: %j', async (args, says) => {
  const { code, stderr } = await command(...args);
  expect(code).toBe(64);
  expect(stderr).toMatch(says);
});
