import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asApplication } from '@fixpoint/api/database/scope.ts';
import { emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transactionalJobs } from '../../src/adapters/jobs/requests.ts';
import { alertingOf } from '../../src/compose/alerting.ts';
import { readAlertEnv } from '../../src/env/env.ts';
import {
  alertKinds,
  alertTasks,
  raiseAlert,
  resolveAlert,
  severityOf,
} from '../../src/modules/alert/index.ts';
import type { AlertKind } from '../../src/modules/alert/kinds.ts';
import { proveHuman } from '../helpers/people.ts';
import { commandEnv, runShop } from '../helpers/shop-command.ts';
import { taskNamed } from '../helpers/task-named.ts';

const MINUTE_MS = 60_000;
const KEY = Buffer.alloc(32, 'key');
const SECRET = `whsec_${KEY.toString('base64')}`;

type Received = { path: string; headers: Record<string, string>; body: string };
let received: Received[] = [];
/** Paths whose requests are refused. */
const refused = new Set<string>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    if (path === '/moved') return void response.writeHead(307, { location: '/elsewhere' }).end();
    response.statusCode = refused.has(path) ? 503 : 200;
    const headers = request.headers as Record<string, string>;
    if (!refused.has(path)) received.push({ path, headers, body: Buffer.concat(chunks).toString() });
    response.end();
  });
});

let at: string;
let shop: TestShop;
let settings: Record<string, string>;
beforeAll(async () => {
  await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done));
  at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  settings = {
    ALERT_EMAIL: 'ops@example.com',
    ALERT_WEBHOOK_URL: `${at}/webhook`,
    ALERT_WEBHOOK_SECRET: SECRET,
    ALERT_NTFY_URL: `${at}/ops-topic`,
    ALERT_NTFY_TOKEN: 'tk_ntfy',
    ALERT_SLACK_URL: `${at}/slack`,
    ALERT_QUIET_HOURS: '03:00-04:00',
    ALERT_MOST_AN_HOUR: '40',
    ALERT_DIGEST_HOUR: '9',
    ALERT_HEARTBEAT_URL: `${at}/beat`,
  };
  shop = await startTestShop({ ...settings, LOG_LEVEL: 'silent' }, undefined, undefined, ['mailer']);
});
afterAll(async () => {
  await shop?.stop();
  await new Promise(done => receiver.close(done));
});

const HOUR_MS = 60 * MINUTE_MS;
/** Moves the clock to the next time that a clock in Bangkok shows this hour. */
function advanceTo(hour: number): void {
  const now = (shop.clock.now().getTime() + 7 * HOUR_MS) % (24 * HOUR_MS);
  shop.clock.advance((hour * HOUR_MS - now + 48 * HOUR_MS) % (24 * HOUR_MS));
}
beforeEach(async () => {
  refused.clear();
  await shop.sandbox.calm();
  await sql`delete from alert_delivery`.execute(shop.db);
  await sql`delete from alert`.execute(shop.db);
  // A message of the test before may still be on its way.
  const sending = sql`select from pgboss.job where name = 'deliverAlert' and state = 'active'`;
  await until(async () => (await sending.execute(shop.db)).rows.length === 0, 'no message is on its way');
  advanceTo(12);
  await forget();
});

const raise = (kind: AlertKind, subject: string, what: Record<string, string | number> = {}) =>
  raiseAlert(shop.db, shop.clock.now(), { kind, subject, what });
const resolve = (kind: AlertKind, subject: string) => resolveAlert(shop.db, shop.clock.now(), kind, subject);
const mailbox = (path: string, method = 'GET') => fetch(`${shop.sandboxUrl}/mail/api/v1/${path}`, { method });
/** Subjects of all emails to staff. */
async function emailed(): Promise<string[]> {
  const found = await mailbox(`search?query=${encodeURIComponent('to:ops@example.com')}`);
  const { messages } = (await found.json()) as { messages: { Subject: string }[] };
  return messages.map(({ Subject }) => Subject);
}
async function forget(): Promise<void> {
  received = [];
  await mailbox('messages', 'DELETE');
}
/** Bodies that a path received. */
const bodies = <T>(path: string) =>
  received.filter(each => each.path === path).map(({ body }) => JSON.parse(body) as T);
type Webhook = {
  type: string;
  data: { title: string; text: string; alerts: { kind: string; remedy: string }[] };
};
const titles = () => bodies<Webhook>('/webhook').map(({ data }) => data.title);

/** Sends what is due, without the tasks that raise and resolve alerts by what is. */
async function announce(more: Record<string, string> = {}): Promise<void> {
  const env = readAlertEnv({ ...commandEnv(shop), ...settings, ...more });
  const alerting = alertingOf(env, { send: () => expect.fail('sent by a job') }, shop.clock);
  const { db, clock } = shop;
  const deps = { db, clock, jobs: transactionalJobs, alerting };
  await asApplication(taskNamed(alertTasks, 'announceAlerts', deps).run);
  const unsent = shop.db.selectFrom('alert_delivery').select('id').where('sent_at', 'is', null);
  await until(async () => (await unsent.execute()).length === 0, 'every message is sent');
}

// That a channel fails is raised and resolved where messages are sent, which another test shows.
const kinds = (Object.keys(alertKinds) as AlertKind[]).filter(kind => kind !== 'channel.failing');

test.each(variants(kinds, 3))(
  '%s is told once when it opens and once when it is resolved, by every channel',
  async kind => {
    const { summary, remedy } = alertKinds[kind];
    const told = async (event: string, start: string) => {
      const title = `[Fixpoint] ${start}: ${kind} thing-1`;
      const text = expect.stringContaining(summary);
      expect(bodies('/webhook')).toMatchObject([{ type: `alert.${event}`, data: { title, text } }]);
      expect(bodies('/')).toMatchObject([{ title, message: text }]);
      expect(bodies('/slack')).toMatchObject([{ text: expect.stringContaining(`*${title}*\n`) }]);
      expect(await emailed()).toEqual([title]);
    };
    await raise(kind, 'thing-1');
    await announce();
    await announce();
    await told('opened', severityOf[kind]);
    const { text } = bodies<Webhook>('/webhook')[0]!.data;
    for (const step of remedy)
      expect(text).toContain(step.replaceAll('KIND', kind).replaceAll('SUBJECT', 'thing-1'));
    expect(text).toMatch(
      /Since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.[\s\S]*Reference: docs\/operate\/reference\.md#alerts$/,
    );

    await forget();
    await resolve(kind, 'thing-1');
    await announce();
    expect([received, await emailed()]).toEqual([[], []]);
    shop.clock.advance(10 * MINUTE_MS);
    await announce();
    await announce();
    await told('resolved', 'resolved');
  },
);

test('a channel gets the severities and kinds of its settings', async () => {
  for (const kind of ['attempt.short', 'dispute', 'cards.wave'] as const) await raise(kind, 'thing-1');
  await announce({
    ALERT_SLACK_SEVERITY: 'critical',
    ALERT_NTFY_KINDS: 'dispute',
    ALERT_EMAIL_SEVERITY: 'warning',
  });
  expect(bodies('/webhook')).toHaveLength(3);
  expect(bodies('/slack')).toMatchObject([{ text: expect.stringContaining('cards.wave') }]);
  expect(bodies('/')).toMatchObject([{ title: expect.stringContaining('dispute') }]);
  expect((await emailed()).sort()).toEqual([
    '[Fixpoint] critical: cards.wave thing-1',
    '[Fixpoint] warning: dispute thing-1',
  ]);
});

test('a webhook is signed, ntfy gets topic, priority and token, and nobody gets an address', async () => {
  await raise('host.foreignAddress', 'bkk-1', {
    addresses: '203.0.113.9, 2001:db8::1',
    by: 'ann@example.com',
  });
  await shop.sweep();
  const [{ headers, body } = expect.fail('no webhook')] = received.filter(({ path }) => path === '/webhook');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`,
  );
  expect(bodies('/')).toMatchObject([
    { topic: 'ops-topic', priority: 5, title: expect.stringContaining('bkk-1') },
  ]);
  expect(received.find(({ path }) => path === '/')!.headers.authorization).toBe('Bearer tk_ntfy');
  const { Text } = await emailTo(shop, 'ops@example.com', /host\.foreignAddress/);
  for (const text of [...received.map(({ body }) => body), Text]) {
    expect(text).not.toMatch(/203\.0\.113\.9|2001:db8::1|ann@/);
    expect(text).not.toContain(SECRET);
  }
});

test('an alert that opens again within ten minutes is told once, and later as a new one', async () => {
  await raise('dispute', 'dp_1');
  await shop.sweep();
  await resolve('dispute', 'dp_1');
  shop.clock.advance(9 * MINUTE_MS);
  await raise('dispute', 'dp_1');
  await shop.sweep();
  shop.clock.advance(20 * MINUTE_MS);
  await shop.sweep();
  expect(titles()).toEqual(['[Fixpoint] warning: dispute dp_1']);
  await resolve('dispute', 'dp_1');
  shop.clock.advance(10 * MINUTE_MS);
  await shop.sweep();
  await raise('dispute', 'dp_1');
  await shop.sweep();
  expect(titles()).toEqual([
    '[Fixpoint] warning: dispute dp_1',
    '[Fixpoint] resolved: dispute dp_1',
    '[Fixpoint] warning: dispute dp_1',
  ]);
});

test('in quiet hours only critical alerts are told, the others afterwards if they are still open', async () => {
  advanceTo(3);
  await raise('dispute', 'dp_open');
  await raise('dispute', 'dp_gone');
  await raise('cards.wave', 'cards');
  await shop.sweep();
  expect(titles()).toEqual(['[Fixpoint] critical: cards.wave cards']);
  await resolve('dispute', 'dp_gone');
  advanceTo(4);
  await shop.sweep();
  expect(titles().filter(title => title.includes('dispute'))).toEqual([
    '[Fixpoint] warning: dispute dp_open',
  ]);
});

test('a storm is told in one summary, and holds no critical alert back', async () => {
  for (let n = 0; n < 100; n += 1) await raise('provider.differs', `stripe pi_${n}`);
  await announce();
  await raise('cards.wave', 'cards');
  await announce();
  expect(titles()).toHaveLength(41);
  expect(titles().filter(title => !title.includes('provider.differs'))).toEqual([
    '[Fixpoint] warning: 61 more alerts',
    '[Fixpoint] critical: cards.wave cards',
  ]);
  const summary = bodies<Webhook>('/webhook').find(({ type }) => type === 'alert.summary')!;
  expect(summary.data.text).toContain('61 × provider.differs');
  shop.clock.advance(30 * MINUTE_MS);
  await raise('dispute', 'dp_late');
  await announce();
  expect(titles()).toHaveLength(41);
  shop.clock.advance(31 * MINUTE_MS);
  await announce();
  expect(titles()).toContain('[Fixpoint] warning: dispute dp_late');
});

test('once a day, at its hour, each channel gets a list of what is open', async () => {
  await raise('dispute', 'dp_1');
  await raise('job.dead', 'sendEmail:1');
  advanceTo(9);
  await shop.sweep();
  await shop.sweep();
  const digests = bodies<Webhook>('/webhook').filter(({ type }) => type === 'alert.digest');
  expect(digests.map(({ data }) => data.title)).toEqual(['[Fixpoint] 2 alerts are open']);
  expect(digests[0]!.data.text).toMatch(
    /warning: dispute dp_1, since .*\nwarning: job\.dead sendEmail:1, since /,
  );
});

test('what a channel refuses is sent again, the others tell that it fails, and it gets what it missed', async () => {
  refused.add('/webhook');
  await raise('cards.wave', 'cards');
  await shop.sweep();
  const tries = () =>
    sql<{ tries: number }>`select tries from alert_delivery where channel = 'webhook'`.execute(shop.db);
  await until(async () => (await tries()).rows.some(({ tries }) => tries >= 3), 'it was tried three times');
  await shop.sweep();
  const slack = () => bodies<{ text: string }>('/slack').map(({ text }) => text.split('\n')[0]);
  expect(slack()).toEqual([
    '*[Fixpoint] critical: cards.wave cards*',
    '*[Fixpoint] critical: channel.failing webhook*',
  ]);
  refused.clear();
  await until(async () => titles().length > 0, 'the webhook that was refused');
  expect(titles()).toEqual(['[Fixpoint] critical: cards.wave cards']);
  await shop.sweep();
  shop.clock.advance(10 * MINUTE_MS);
  await shop.sweep();
  expect(slack().at(-1)).toBe('*[Fixpoint] resolved: channel.failing webhook*');
});

test('a mail server that stops is told within two minutes by the other channels, with the number of waiting emails', async () => {
  await shop.sandbox.fault({ provider: 'mail' }, 'refuseConnections', 1000);
  const { version: termsVersion } = (await shop.client.text.getTerm()).data!;
  const account = { email: 'waits@example.com', password: PASSWORD, language: 'en' as const };
  await shop.client.customer.register({
    body: { ...account, termsVersion, humanCheck: await proveHuman(shop) },
  });
  // One that is being tried at this moment is not counted.
  const postponed = sql`update pgboss.job set start_after = now() + interval '1 hour'
    where name = 'sendCode' and state = 'retry'`;
  await until(
    async () => (await postponed.execute(shop.db)).numAffectedRows === 1n,
    'the email was refused once',
  );
  const told = () => bodies<{ text: string }>('/slack').filter(({ text }) => text.includes('mail.failing'));
  await shop.runTasks();
  await until(async () => told().length > 0, 'the chat is told');
  expect(told()[0]!.text).toMatch(/^\*\[Fixpoint\] critical: mail\.failing mail\*\n[\s\S]*waiting: 1\n/);
  await shop.sandbox.calm();
  await shop.runTasks();
  shop.clock.advance(10 * MINUTE_MS);
  await shop.runTasks();
  await until(async () => told().length > 1, 'the chat is told that email leaves again');
});

test('the heartbeat is fetched after the database was read, and stops with it', async () => {
  await shop.sweep();
  expect(received.filter(({ path }) => path === '/beat')).toHaveLength(1);
  await sql`alter view open_alert rename to gone`.execute(shop.db);
  received = [];
  await shop.runTasks().catch(() => undefined);
  await sql`alter view gone rename to open_alert`.execute(shop.db);
  expect(received.filter(({ path }) => path === '/beat')).toEqual([]);
});

test('alerts test sends to each channel, prints each result, and follows no redirect', async () => {
  const command = (more: Record<string, string>, ...args: string[]) =>
    runShop({ ...commandEnv(shop), ...settings, ...more }, 'alerts', 'test', ...args);
  expect(await command({})).toMatchObject({
    code: 0,
    stdout: ['email', 'webhook', 'ntfy', 'slack']
      .map(name => `${name}: sent. Look whether the message arrived.\n`)
      .join(''),
  });
  expect(received.map(({ path }) => path).sort()).toEqual(['/', '/slack', '/webhook']);
  refused.add('/slack');
  expect(await command({ ALERT_WEBHOOK_URL: `${at}/moved` }, 'webhook')).toMatchObject({
    code: 1,
    stdout: 'webhook: failed. The server redirects: set the address to which it does\n',
  });
  expect(await command({}, 'slack')).toMatchObject({
    code: 1,
    stdout: 'slack: failed. The server answered 503\n',
  });
  expect(received.some(({ path }) => path === '/elsewhere')).toBe(false);
  expect(await command({ ALERT_NTFY_URL: '' }, 'ntfy')).toMatchObject({
    code: 1,
    stderr: 'The channel ntfy is not set up (docs/operate/alerts.md).\n',
  });
  expect(
    (
      await command({
        ALERT_EMAIL: '',
        ALERT_WEBHOOK_URL: '',
        ALERT_WEBHOOK_SECRET: '',
        ALERT_NTFY_URL: '',
        ALERT_SLACK_URL: '',
      })
    ).stdout,
  ).toMatch(/^No channel is set up/);
});
