import { createTime, thisMachine } from '@fixpoint/agent/clock.ts';
import { type Identity, identify, renewed } from '@fixpoint/agent/identity.ts';
import { createLoop } from '@fixpoint/agent/loop.ts';
import type { SavedSet } from '@fixpoint/agent/saved-set.ts';
import { createShop } from '@fixpoint/agent/shop.ts';
import type { StateFile } from '@fixpoint/agent/state-file.ts';
import { sendAsHost } from '@fixpoint/testkit/attacks/raw-requests.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shopCommand } from '../helpers/shop-command.ts';

/** Hosts whose certificate is unknown to a shop that was restored from an older backup. */
let shop: TestShop;
const at = () => ({ socketPath: shop.agentSocket });
const ended: (() => Promise<void>)[] = [];
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(async () => {
  await Promise.all(ended.map(end => end()));
  await shop?.stop();
});

const memory = <T>(value?: T): StateFile<T> => ({
  load: () => value,
  save: next => {
    value = next;
  },
});
const PLACE = ['--provider', 'demo', '--region', 'th-bkk', '--vendor', 'fixpoint'];
/** Enrols a machine with the token which a command printed. */
async function enrolled(...command: string[]): Promise<Identity> {
  const { stdout } = await shopCommand(shop, 'host', ...command);
  return identify(memory<Identity>(), at(), stdout.trim().split('\n').at(-1), new Date(), () => undefined);
}
const statusOf = async (pair: Pick<Identity, 'certificate' | 'key'>) =>
  (await sendAsHost(shop.agentSocket, '/agent/v1/report', '{}', pair)).status;
/** The certificate was accepted, and the body is invalid. */
const LET_IN = 400;
const [UNKNOWN, FENCED] = [403, 410];

/** Runs the real agent without tunnels. @returns its log */
function startAgent(identity: Identity): string[] {
  const stop = new AbortController();
  const events: string[] = [];
  const loop = createLoop({
    host: {
      apply: async () => undefined,
      reconcile: async () => false,
      report: async () => ({ subscriptions: [], ownAddresses: [], drift: [], epoch: 'test', usage: [] }),
      devices: async () => undefined,
      acknowledgeUsage: async () => undefined,
      end: async () => undefined,
    },
    identity,
    identityFile: memory(identity),
    setFile: memory<SavedSet>(),
    runningSetFile: memory<SavedSet>(),
    connect: credentials => createShop(at(), credentials),
    versions: { agentVersion: 'test', openvpnVersion: 'none' },
    time: createTime(thisMachine()),
    log: event => void events.push(event),
    signal: stop.signal,
  });
  const finished = loop.run();
  ended.push(() => {
    stop.abort();
    return finished;
  });
  return events;
}

let count = 0;
let hostId: string;
let before: Identity;
let now: Identity;
let restore: () => Promise<unknown>;
/** A host that has renewed and used its certificate; its row is reset to the state of the backup. */
beforeEach(async () => {
  count += 1;
  hostId = `host-${count}`;
  before = await enrolled('add', '--host', hostId, ...PLACE, '--pool', `198.51.100.${count * 16}/28`);
  const row = () => shop.db.selectFrom('host').select(['certificate_hash', 'previous_certificate_hash']);
  const backup = await row().where('id', '=', hostId).executeTakeFirstOrThrow();
  restore = () => shop.db.updateTable('host').set(backup).where('id', '=', hostId).execute();
  const agent = createShop(at(), before);
  now = await renewed(before, agent);
  agent.close();
  expect(await statusOf(now)).toBe(LET_IN);
  expect(await statusOf(before)).toBe(UNKNOWN);
});

test('FV4 a restored shop accepts a host that renewed its certificate after the backup', async () => {
  await restore();
  expect(await statusOf(now)).toBe(UNKNOWN);
  const events = startAgent(now);
  await until(async () => events.includes('applied'), 'it has the set of the restored shop');
  expect(events).toContain('certificateUnknown');
  const applied = async () => {
    const own = shop.db.selectFrom('host').select(['revision', 'applied_revision']).where('id', '=', hostId);
    const { revision, applied_revision } = await own.executeTakeFirstOrThrow();
    return applied_revision === revision;
  };
  await until(applied, 'the shop has its report');
});

test('FV6 a replaced machine is refused with each of its certificates', async () => {
  const next = await enrolled('replace', '--host', hostId, '--yes');
  expect(await statusOf(next)).toBe(LET_IN);
  expect(await statusOf(now)).toBe(FENCED);
  expect(await statusOf(before)).toBe(UNKNOWN);
  const events = startAgent(now);
  await until(async () => events.includes('stopped'), 'it has stopped and confirmed that');
  expect(events).not.toContain('certificateUnknown');
});

test('FV6 a machine that is replaced in a restored shop is told to stop, although its newest certificate is unknown', async () => {
  await restore();
  await enrolled('replace', '--host', hostId, '--yes');
  expect(await statusOf(now)).toBe(UNKNOWN);
  const events = startAgent(now);
  await until(async () => events.includes('stopped'), 'it has stopped and confirmed that');
});

test('FV6 a machine that enrolled after the backup is unknown to the restored shop until it enrols again', async () => {
  const next = await enrolled('replace', '--host', hostId, '--yes');
  await restore();
  expect(await statusOf(next)).toBe(UNKNOWN);
  expect(await statusOf(await enrolled('replace', '--host', hostId, '--off', '--yes'))).toBe(LET_IN);
});
