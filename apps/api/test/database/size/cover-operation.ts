import { bangkokHour } from '@fixpoint/domain/alert/messages.ts';
import { sql } from 'kysely';
import { liveBus } from '../../../src/adapters/postgres-bus.ts';
import { endingWork } from '../../../src/compose/ending-work.ts';
import { personal } from '../../../src/compose/personal.ts';
import { createReader, readings } from '../../../src/compose/shop-readings.ts';
import { repeatDeletion } from '../../../src/modules/account/index.ts';
import { alertTasks, deliverAlert, resolveAlert } from '../../../src/modules/alert/index.ts';
import { sinceBackup } from '../../../src/modules/backup/index.ts';
import { documentFor } from '../../../src/modules/billing/index.ts';
import { catalogTasks } from '../../../src/modules/catalog/index.ts';
import { endOrders } from '../../../src/modules/checkout/index.ts';
import type { AlertChannel, Alerting } from '../../../src/ports/alert-channel.ts';
import type { Jobs } from '../../../src/ports/jobs.ts';
import { confirmedCommand } from '../../helpers/shop-command.ts';
import { taskNamed } from '../../helpers/task-named.ts';
import { invitationTo } from '../../team/people.ts';
import type { Coverage } from './coverage.ts';

const MINUTE_MS = 60_000;
const noJobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };

/** Covers what watches the shop: messages about alerts, readings for monitoring, free addresses, the list beside backups. */
export async function coverOperation(run: Coverage): Promise<void> {
  await readAll(run);
  await countAddresses(run);
  await replaceInvoice(run);
  await deleteAgain(run);
  await tellAlerts(run);
}

/** Tells a channel of a thousand alerts after a bad night, in single messages, a summary and a digest, and that they are over. */
async function tellAlerts({ shop, app, mark }: Coverage): Promise<void> {
  const send = async () => {};
  const alertingBy = (channel: AlertChannel['send']): Alerting => ({
    channels: [{ name: 'webhook', least: 'notice', kinds: [], send: channel }],
    quiet: undefined,
    mostAnHour: 5,
    digestHour: bangkokHour(shop.clock.now()),
    beat: send,
    brand: 'Fixpoint',
    docs: 'docs/operate',
  });
  const written: string[] = [];
  const jobs = {
    ...noJobs,
    enqueueAll: async (_tx, _name, all) => {
      for (const data of all) written.push((data as { deliveryId: string }).deliveryId);
    },
  } as Jobs;
  const deps = { db: app, clock: shop.clock, alerting: alertingBy(send) };
  const tasks = ['announceAlerts', 'sendHeartbeat'].map(name =>
    taskNamed(alertTasks, name, { ...deps, jobs }),
  );
  const tell = async () => {
    for (const task of tasks) await task.run();
    for (const id of written.splice(0)) await deliverAlert(deps, id);
  };
  const opened = await sql<{ subject: string }>`insert into alert (kind, subject, since, last_seen)
    select 'attempt.unknown', ${`att_${mark}_`}::text || n, at, at
    from generate_series(1, 1000) n, (select ${shop.clock.now()}::timestamptz as at) l returning subject`.execute(
    shop.db,
  );
  await tasks[0]!.run();
  const refuses = alertingBy(() => Promise.reject(new Error('It refuses')));
  await deliverAlert({ ...deps, alerting: refuses }, written[0]!).catch(() => 'it waits');
  await tell();
  const subjects = opened.rows.map(({ subject }) => subject);
  await resolveAlert(app, shop.clock.now(), 'attempt.unknown', ...subjects);
  shop.clock.advance(61 * MINUTE_MS);
  await tell();
}

/** Reads what monitoring and the status page read, but not what counts everything of every host. */
async function readAll({ shop, app }: Coverage): Promise<void> {
  const read = createReader({ application: app, clock: shop.clock });
  const ofEveryHost = /_(entitlement_drift|addresses_free|hosts|tunnels)$/;
  for (const reading of readings.filter(({ name }) => !ofEveryHost.test(name))) await read(reading);
  await fetch(`${shop.url}/status.json`);
  for (const all of [false, true]) await sinceBackup(app, shop.clock.now(), all);
}

/** Counts the addresses of each place on the first run of a day and on a later one. All were taken within a day. */
async function countAddresses({ shop, app }: Coverage): Promise<void> {
  await sql`delete from taken_addresses`.execute(shop.db);
  await sql`insert into taken_addresses (provider_id, region_id, vendor_id, day, taken)
    select provider_id, region_id, vendor_id, (${shop.clock.now()}::timestamptz at time zone 'Asia/Bangkok')::date - 1, 0
    from offer`.execute(shop.db);
  const deps = { db: app, clock: shop.clock, leastFreeAddresses: 5 };
  for (let n = 0; n < 2; n += 1) await taskNamed(catalogTasks, 'alertLowPlaces', deps).run();
}

/** Replaces a paid invoice for another company, and its replacement again. */
async function replaceInvoice({ shop, app, mark }: Coverage): Promise<void> {
  const { client } = await shop.customer(`firm-${mark}`);
  const { id, number } = (await client.billing.myBilling()).data!.items[0]!;
  let replaced = number;
  for (const name of ['Large Ltd', 'Larger Ltd']) {
    const company = { name, country: 'HK', line1: '1 Main Rd', city: 'Central' };
    await client.billing.setCompany({ body: { company } });
    const command = ['invoice', 'replace', replaced, '--reason', 'wrong name'];
    const done = await confirmedCommand(shop, ...command);
    replaced = /RP\d{4}-\d+/.exec(done.stdout)![0];
    await shop.sweep();
  }
  const { documents } = (await client.billing.getBilling({ params: { id } })).data!;
  for (const document of documents) {
    await client.billing.getDocument({ params: { id: document.id } });
    if (document.kind === 'replacement') await documentFor(app, { kind: 'replacement', ofId: document.id });
  }
}

/** Deletes an account again that was deleted after the backup from which the shop was restored. */
async function deleteAgain({ shop, app, mark }: Coverage): Promise<void> {
  const { client } = await shop.customer(`again-${mark}`);
  const { id } = (await client.auth.profile()).data!;
  const { client: elsewhere } = await shop.customer(`again-elsewhere-${mark}`);
  const email = `again-${mark}@example.com`;
  await elsewhere.team.invite({ body: { email, role: 'owner' } });
  await client.team.joinTeam({ body: { invitation: await invitationTo(shop, email) } });
  await sql`insert into ledger_entry (txn, position, account, customer_id, currency, amount, created_at)
    select 'again:' || ${id}::text, position, account, case account when 'credit' then ${id} end, 'THB', amount, now()
    from (values (0, 'goodwill', 5000), (1, 'credit', -5000)) entry (position, account, amount)`.execute(
    shop.db,
  );
  const written = { clock: shop.clock, jobs: noJobs, live: liveBus };
  const deps = { db: app, ...written, ...endingWork(written), systemClock: shop.clock, personal };
  const isDeleted = await repeatDeletion(
    { ...deps, endOrders: (tx, of) => endOrders({ clock: shop.clock }, tx, of) },
    id,
  );
  if (!isDeleted) throw new Error('It was not deleted again');
}
