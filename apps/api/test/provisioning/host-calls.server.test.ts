import { randomBytes, X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { identify, renewed as newIdentity } from '@fixpoint/agent/identity.ts';
import { createShop } from '@fixpoint/agent/shop.ts';
import {
  type DesiredSet,
  hostReport,
  SHOP_AGENT_NAME,
  SLOTS,
  USAGE_A_REPORT,
} from '@fixpoint/contract/agent.ts';
import { sendAsHost } from '@fixpoint/testkit/attacks/raw-requests.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMasterKey } from '../../src/adapters/master-key/ring.ts';
import { listen, liveBus } from '../../src/adapters/postgres-bus.ts';
import { createVaultSigner } from '../../src/adapters/vault-signer.ts';
import { createLogger } from '../../src/log/logger.ts';
import { addHost, readHostSettings } from '../../src/modules/provisioning/index.ts';
import { markHostDirty } from '../../src/modules/provisioning/pending-change.ts';
import { shopCommand } from '../helpers/shop-command.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** The listener of the VPN hosts against strangers and misbehaving hosts. */
let shop: TestShop;
const logged: string[] = [];
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'warn' }, line => void logged.push(line));
});
afterAll(() => shop?.stop());

const DAY_MS = 24 * 60 * 60_000;

type Answer = { status: number | undefined; sent: number };

/** Sends a body in pieces until it is answered. @returns how much of it was accepted */
function post(path: string, pieces: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const call = request({
      socketPath: shop.agentSocket,
      path,
      method: 'POST',
      rejectUnauthorized: false,
      headers: { 'content-type': 'application/json', 'content-length': pieces * PIECE.length },
    });
    let answered = false;
    call.on('response', response => {
      answered = true;
      response.resume();
      resolve({ status: response.statusCode, sent });
      call.destroy();
    });
    call.on('error', error => answered || reject(error));
    const next = () => {
      if (answered || sent === pieces * PIECE.length) return;
      sent += PIECE.length;
      call.write(PIECE, () => setTimeout(next, 5));
    };
    next();
  });
}
/** Calls the shop as its own host. */
const asHost = (path: string, payload: string) => {
  const { certificate, key } = shop.host.identity;
  return sendAsHost(shop.agentSocket, path, payload, { certificate, key });
};
const PIECE = Buffer.alloc(40_000, '[{"id":1},');

/** Adds a host. @returns its enrolment token */
async function tokenOf(hostId: string, pool: string): Promise<string> {
  const signer = createVaultSigner(
    (await openMasterKey(shop.db, join(dirname(shop.agentSocket), 'master.key'))).vault,
  );
  const deps = { db: shop.db, signer, clock: shop.clock, live: liveBus };
  const place = { providerId: 'demo', regionId: 'th-bkk', vendorId: 'fixpoint' };
  return (await addHost(deps, place, hostId, readHostSettings(hostId, { pool }))).token;
}

/** Adds another host that polls only on demand. @returns it and its revision */
async function hostThatAsks(hostId: string, pool: string) {
  const at = { socketPath: shop.agentSocket };
  const file = { load: () => undefined, save: () => undefined };
  const identity = await identify(file, at, await tokenOf(hostId, pool), new Date(), () => undefined);
  const agent = createShop(at, identity);
  const { revision } = (await agent.desired(0, 0)) as DesiredSet;
  return { agent, identity, revision };
}
const question = () => ({
  id: randomBytes(16).toString('hex'),
  subscriptionId: 'sub_nobodys',
  restart: false,
});

test('FS2 a client without a certificate is refused before its body is read', async () => {
  for (const path of ['/agent/v1/report', '/agent/v1/renew']) {
    const { status, sent } = await post(path, 95);
    expect(status, path).toBe(403);
    expect(sent, path).toBeLessThan(2_000_000);
  }
  // Enrolment needs no certificate; its body is limited.
  expect((await post('/agent/v1/enrol', 95)).status).toBe(413);
});

test('S78 an enrolment token is valid for fifteen minutes, and a host certificate for thirty days', async () => {
  const { certificate } = shop.host.identity;
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  // Like every certificate it begins four days before it is made.
  const days = (validToDate.getTime() - validFromDate.getTime()) / 86_400_000 - 4;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThanOrEqual(31);
  const late = await tokenOf('bkk-2', '198.51.100.0/28');
  expect(late.split('.')[1]).toMatch(/^[\w-]{22,}$/);
  shop.clock.advance(15 * 60_000 + 1);
  await expect(startFakeHost({ socketPath: shop.agentSocket }, late)).rejects.toThrow('403');
});

test('SE10 S78 a malformed signing request is refused and leaves the token as it was', async () => {
  const token = await tokenOf('bkk-14', '203.0.112.0/28');
  const made = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
  const answer = await sendAsHost(shop.agentSocket, '/agent/v1/enrol', JSON.stringify({ token, csr: made }));
  expect(answer).toEqual({ status: 400, body: '{"error":"requestInvalid"}' });
  expect((await asHost('/agent/v1/renew', JSON.stringify({ csr: made }))).status).toBe(400);
  const file = { load: () => undefined, save: () => undefined };
  const at = { socketPath: shop.agentSocket };
  expect(await identify(file, at, token, new Date(), () => undefined)).toMatchObject({ hostId: 'bkk-14' });
  await shop.db.updateTable('host').set({ draining: true }).where('id', '=', 'bkk-14').execute();
});

test('FS2 a list that is too long is refused unread, and a report is limited to 640 KB', async () => {
  const report = { revision: 1, agentVersion: 'a', openvpnVersion: 'b', epoch: 'test', drift: [] };
  const looked: string[] = [];
  const item = {
    get id() {
      looked.push('looked');
      return 1;
    },
  };
  const tooLong = [
    { ...report, usage: [], subscriptions: Array(SLOTS + 1).fill(item) },
    { ...report, subscriptions: [], usage: Array(USAGE_A_REPORT + 1).fill(item) },
  ];
  for (const given of tooLong) {
    const { error } = hostReport.safeParse(given);
    expect(error?.issues).toHaveLength(1);
  }
  expect(looked).toEqual([]);
  const { status } = await asHost('/agent/v1/report', ' '.repeat(640 * 1024 + 1));
  expect(status).toBe(413);
});

test('FS14 a report counts only for what the host was given', async () => {
  const applied = async () => {
    const own = shop.db.selectFrom('host').select('applied_revision').where('id', '=', 'bkk-1');
    return (await own.executeTakeFirstOrThrow()).applied_revision;
  };
  const before = await until(applied, 'its first set is applied');
  const report = {
    agentVersion: 'a',
    openvpnVersion: 'b',
    epoch: 'test',
    drift: [],
    subscriptions: [],
    usage: [],
  };
  await shop.host.shop.report({ ...report, revision: Number.MAX_SAFE_INTEGER });
  expect(await applied()).toBe(before);
});

test('a report that a later one has overtaken is refused, so that the host reports again', async () => {
  const report = {
    revision: 0,
    agentVersion: 'test',
    openvpnVersion: 'none',
    subscriptions: [],
    drift: [],
    epoch: 'test',
    usage: [],
  };
  const seenAt = (by: string) =>
    sql`update host set seen_at = seen_at + ${by}::interval where id = 'bkk-1'`.execute(shop.db);
  await shop.host.shop.report(report);
  await seenAt('50 s');
  await expect(shop.host.shop.report(report)).rejects.toThrow('503');
  await seenAt('-50 s');
  await shop.host.shop.report(report);
});

test('K10 unknown fields of a newer agent are dropped, counted once in the log and shown nowhere', async () => {
  const beyond = { sinceWhen: 'seenNowhere', nested: { sinceWhen: 'seenNowhere' } };
  const report = JSON.stringify({
    revision: 1,
    agentVersion: 'later',
    openvpnVersion: 'b',
    epoch: 'test',
    drift: [{ what: 'rate', more: 1, missing: 0, ...beyond }],
    subscriptions: [{ id: 'sub_nobodys', state: 'up', ...beyond }],
    usage: [{ keyId: 'key_nobodys', day: '2026-01-01', downBytes: 1, upBytes: 1, ...beyond }],
    ...beyond,
  });
  for (const _ of [1, 2]) expect((await asHost('/agent/v1/report', report)).status).toBe(200);
  const told = logged.filter(line => line.includes('unknown members of a host’s request'));
  expect(told.map(line => JSON.parse(line))).toMatchObject([{ host: 'bkk-1', unknown: 8 }]);
  const { drift } = await shop.db
    .selectFrom('host')
    .select('drift')
    .where('id', '=', 'bkk-1')
    .executeTakeFirstOrThrow();
  expect(drift).toEqual([{ what: 'rate', more: 1, missing: 0 }]);
  expect(logged.join()).not.toMatch(/sinceWhen|seenNowhere/);
});

test('FS14 the certificate before a renewal ends with the first use of the new one, and all end when the host is retired', async () => {
  const old = shop.host.identity;
  const renewed = await newIdentity(old, shop.host.shop);
  const status = async ({ certificate, key }: typeof old) =>
    (await sendAsHost(shop.agentSocket, '/agent/v1/report', '{}', { certificate, key })).status;
  // 400: the certificate was accepted, and the body is invalid.
  expect(await status(old)).toBe(400);
  expect(await status(renewed)).toBe(400);
  expect(await status(old)).toBe(403);

  const retire = (...more: string[]) => shopCommand(shop, 'host', 'retire', '--host', 'bkk-1', ...more);
  const { code, stdout } = await retire();
  expect(stdout).toMatch(/^Would take bkk-1 out of service for good/);
  expect([code, await status(renewed)]).toEqual([1, 400]);
  expect(await retire('--confirm', /--confirm (\w+)/.exec(stdout)![1]!)).toMatchObject({
    code: 0,
    stdout: 'bkk-1 is retired. Subscriptions on it: 0. Reserved addresses: 0.\n',
  });
  // 410: the machine is fenced, not unknown.
  expect(await status(renewed)).toBe(410);
  const { offers } = (await shop.client.order.getVendor({ query: {} })).data!;
  expect(offers.filter(({ available, waits }) => available && !waits)).toEqual([]);
  expect((await shopCommand(shop, 'host', 'retire', '--host', 'nowhere')).stderr).toContain(
    'There is no host nowhere.',
  );
});

test('FS14 a machine that is replaced while it renews its certificate does not take its host back', async () => {
  const { agent, identity } = await hostThatAsks('bkk-9', '198.51.100.128/28');
  const hashes = { certificate_hash: Buffer.from('next'), previous_certificate_hash: null };
  const enrols = `update host set certificate_hash = 'next', previous_certificate_hash = null where id = 'bkk-9'`;
  await expect(whileLocked(shop, enrols, () => newIdentity(identity, agent))).rejects.toThrow('403');
  const host = shop.db.selectFrom('host').selectAll().where('id', '=', 'bkk-9');
  expect(await host.executeTakeFirst()).toMatchObject(hashes);
  agent.close();
});

test('K5 a change of the desired set goes before questions', async () => {
  const { agent, revision } = await hostThatAsks('bkk-3', '198.51.100.16/28');
  const held = agent.desired(revision, 25);
  await sleep(200);
  const asked = question();
  // The question wakes the host; the change is written by then.
  await shop.db.transaction().execute(async tx => {
    await liveBus.askHost(tx, 'bkk-3', asked);
    await markHostDirty(liveBus, tx, 'bkk-3');
  });
  expect(await held).toMatchObject({ revision: revision + 1 });
  expect(await agent.desired(revision + 1, 25)).toEqual({ questions: [asked] });
  agent.close();
});

test('K19 a question goes to the restarted agent, not to its closed connection', async () => {
  const { agent, revision } = await hostThatAsks('bkk-4', '198.51.100.32/28');
  const gone = new AbortController();
  const held = agent.desired(revision, 25, gone.signal);
  await sleep(200);
  gone.abort();
  await expect(held).rejects.toThrow();
  expect(await agent.desired(revision, 0)).toBeUndefined();
  const asked = question();
  await liveBus.askHost(shop.db, 'bkk-4', asked);
  expect(await agent.desired(revision, 25)).toEqual({ questions: [asked] });
  agent.close();
});

test('FS2 an unsolicited or repeated answer reaches no node', async () => {
  const { agent, revision } = await hostThatAsks('bkk-5', '198.51.100.48/28');
  const heard: string[] = [];
  const bus = await listen(
    shop.databaseUrls.app,
    createLogger('silent'),
    message => message.kind === 'answer' && heard.push(message.answer.question),
    () => undefined,
  );
  const [first, second] = [question(), question()];
  const answer = ({ id }: typeof first) => agent.answer({ question: id, devices: [] });
  for (const asked of [first, second]) {
    await answer(asked);
    await liveBus.askHost(shop.db, 'bkk-5', asked);
    expect(await agent.desired(revision, 25)).toEqual({ questions: [asked] });
    await answer(asked);
    await answer(asked);
  }
  await until(async () => heard.includes(second.id), 'the last answer');
  expect(heard).toEqual([first.id, second.id]);
  bus.stop();
  agent.close();
});

test('a listener that runs longer than its certificate is valid presents a new one of the same authority', async () => {
  const shown = () =>
    new Promise<X509Certificate>((resolve, reject) => {
      const server = { path: shop.agentSocket, servername: SHOP_AGENT_NAME, rejectUnauthorized: false };
      const socket = connect(server, () => {
        resolve(socket.getPeerX509Certificate()!);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  const first = await shown();
  expect((await shown()).serialNumber).toBe(first.serialNumber);
  shop.clock.advance(first.validToDate.getTime() - 100 * DAY_MS - shop.clock.now().getTime());
  const next = await shown();
  expect(next.validToDate.getTime()).toBeGreaterThan(first.validToDate.getTime() + 200 * DAY_MS);
  expect(next.checkIssued(first.issuerCertificate!)).toBe(true);
});
