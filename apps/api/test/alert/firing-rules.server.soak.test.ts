import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raiseAlert } from '../../src/modules/alert/index.ts';
import { startGate } from '../database/postgres-gate.ts';

/** The rules for Prometheus on what a real shop exposes, while it is well and in trouble (Debian's package prometheus). */
const RULES = new URL('../../../../ops/prometheus/rules.yaml', import.meta.url).pathname;
const isInstalled = spawnSync('promtool', ['--version']).status === 0;
/** Of the machine, or of minutes of load: scripts/prometheus-rules.server.soak.test.ts makes these fire by numbers alone. */
const BY_NUMBERS = [
  ...['FixpointDown', 'FixpointDiskFilling', 'FixpointBusy', 'FixpointPoolExhausted'],
  'FixpointProvisioningSlow',
];
const OF_MACHINE = /^fixpoint_(?:disk_free|event_loop)/;
const TROUBLES = [
  ...[
    'FixpointAddressesLow',
    'FixpointAlert',
    'FixpointEmailsLate',
    'FixpointHostDiffers',
    'FixpointHostSilent',
  ],
  ...['FixpointJobsLate', 'FixpointPaymentsFailing', 'FixpointRenewalsFailing', 'FixpointRenewalsLate'],
  ...['FixpointTunnelsFailed', 'FixpointWebhooksLate'],
];

describe.skipIf(!isInstalled)('rules on a real shop', () => {
  let folder: string;
  let port: number;
  let database: TestDatabase;
  let gate: Awaited<ReturnType<typeof startGate>>;
  let shop: TestShop;
  let admin: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixpoint-rules-'));
    database = await createDatabase();
    admin = new Client({ connectionString: database.url });
    gate = await startGate(database.url);
    port = await freePort();
    shop = await startTestShop({ LOG_LEVEL: 'silent', METRICS_PORT: String(port) }, undefined, gate.database);
  });
  afterAll(async () => {
    await admin?.end();
    gate?.open();
    await shop?.stop();
    await gate?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  /** Waits until these series are above zero: a scrape may get samples of up to 15 seconds before. */
  async function scraped(...series: string[]): Promise<string> {
    const missing = async () => {
      const said = (await scrape()).split('\n');
      return series.filter(
        each => !said.some(line => line.startsWith(each) && Number(line.split(' ').at(-1)) > 0),
      );
    };
    await until(async () => (await missing()).length === 0, 'series').catch(async () => {
      throw new Error(`not exposed: ${(await missing()).join(', ')}`);
    });
    return scrape();
  }

  /** Has Prometheus judge what a shop has exposed for two hours. @throws Error with what fires when it is not exactly that */
  async function expectFiring(exposed: string, alerts: readonly string[]): Promise<void> {
    const samples = exposed.split('\n').filter(line => /^\w/.test(line) && !OF_MACHINE.test(line));
    const judged = {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: ['up{job="fixpoint"} 1', ...samples].map(line => {
            const [, series, value] = /^(.*) (\S+)$/.exec(line)!;
            return { series, values: `${value}x120` };
          }),
          promql_expr_test: [
            {
              expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: '2h',
              exp_samples: alerts.map(alertname => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
            },
          ],
        },
      ],
    };
    // JSON is YAML.
    const file = join(folder, 'test.yaml');
    await writeFile(file, JSON.stringify(judged));
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', file]);
    expect(stdout).toContain('SUCCESS');
  }

  test('every rule fires here, or is of the machine', async () => {
    const rules = Array.from(
      (await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g),
      ([, name]) => name!,
    );
    expect([...TROUBLES, ...BY_NUMBERS, 'FixpointNotReady'].sort()).toEqual(rules.sort());
  });

  test('nothing fires while the shop is well', async () => {
    await shop.customer('well');
    await expectFiring(await scraped('fixpoint_tunnels{state="up"}'), []);
  });

  test('a database that is gone fires', async () => {
    gate.shut();
    const gone = await until(async () => {
      const said = await scrape();
      return said.includes('fixpoint_ready{check="database"} 0') && said;
    }, 'a shop that misses its database');
    await expectFiring(gone, ['FixpointNotReady']);
    gate.open();
    await scraped('fixpoint_ready{check="database"}');
  });

  test('its troubles fire', async () => {
    const { db, clock } = shop;
    const late = new Date(clock.now().getTime() - 60 * 60_000);
    // A place with four addresses, whose host went silent.
    const host = await shop.addHost(
      'sin-1',
      { providerId: 'hetzner', regionId: 'sg-sin', vendorId: 'fixpoint' },
      '198.51.100.0/30',
    );
    await host.stop();
    await db.updateTable('host').set({ seen_at: late }).where('id', '=', 'sin-1').execute();
    shop.host.setDrift([{ what: 'rate', more: 0, missing: 2 }]);
    await shop.host.report();
    await shop.host.stop();
    await db.updateTable('assignment').set({ status: 'failed' }).execute();
    await db.updateTable('subscription').set({ due_at: late }).execute();
    await raiseAlert(db, clock.now(), { kind: 'dispute', subject: 'dp_1' });
    // No worker takes them, because somebody has locked them before they are due.
    for (const queue of ['sendEmail', 'fulfilOrder'])
      await sql`insert into pgboss.job (name, created_on, start_after)
        values (${queue}, now() - interval '1 hour', now() + interval '10 seconds')`.execute(db);
    await admin.connect();
    await admin.query(`begin; select from pgboss.job where state = 'created' for update`);
    await sql`insert into provider_event (provider, event_id, type, about, object_ref, moved, received_at)
      values ('stripe', 'evt_1', 'charge.succeeded', 'payment', 'pi_1', false, ${late})`.execute(db);
    // Twelve declined payments of buyers, and of renewals.
    for (const unattended of [false, true])
      await sql`insert into attempt select (jsonb_populate_record(attempt, jsonb_build_object(
          'id', 'att_' || ${String(unattended)}::text || n, 'attempt_no', 100 + n + ${unattended ? 50 : 0}::int, 'provider_ref', null,
          'charge_ref', null, 'status', 'failed', 'failure', 'card_declined', 'received', 0, 'unapplied', 0, 'fee', null,
          'unattended', ${unattended}::boolean))).* from attempt, generate_series(1, 12) n where attempt_no = 1`.execute(
        db,
      );
    const exposed = await scraped(
      'fixpoint_addresses_free{place="hetzner, sg-sin, fixpoint"}',
      'fixpoint_alert_open{kind="dispute"}',
      'fixpoint_hosts{state="silent"}',
      'fixpoint_entitlement_drift{host="bkk-1"}',
      'fixpoint_tunnels{state="failed"}',
      'fixpoint_renewals_due',
      'fixpoint_jobs_waiting{queue="sendEmail"}',
      'fixpoint_webhook_lag_seconds{provider="stripe"}',
      'fixpoint_payments_last_hour{method="card",outcome="failed"',
    );
    await expectFiring(exposed, TROUBLES);
  });
});
