import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** A full disk, and one that holds an old copy, when the agent restarts while the shop is away. */
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };
const DISK = `/var/tmp/fixpoint-disk-${process.pid}`;
let scene: Scene;
let one: Sold;
let two: Sold;
beforeAll(async () => {
  mkdirSync(DISK);
  await must('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', DISK]);
  scene = await openScene({ AGENT_STATE_DIR: `${DISK}/agent` });
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone, laptop] }),
    sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
  ]);
  scene.shop.want([one.desired]);
  await scene.settled();
});
afterAll(async () => {
  await scene?.end();
  await must('umount', ['-l', DISK]).catch(() => undefined);
  rmSync(DISK, { recursive: true, force: true });
});

const said = (from: number, event: string) =>
  scene.agentLines
    .slice(from)
    .map(line => JSON.parse(line))
    .find(line => line.event === event);

it('V40 the host goes on with what it ran: a deleted key stays out, and what was paid for is served', async () => {
  const old = scene.shop.revision();
  try {
    // It is full to the last byte.
    writeFileSync(`${DISK}/full`, Buffer.alloc(2 * 1024 * 1024));
  } catch {}
  const deleted = (await download(one, laptop.id)).profile;
  one.desired = { ...one.desired, keys: [phone] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  expect(said(0, 'notSaved')).toMatchObject({ file: 'set', fault: 'ENOSPC' });
  const customer = await scene.connect((await download(two, tablet.id)).profile);
  await scene.shop.away();
  const lines = scene.agentLines.length;
  await scene.region.killAgent();
  scene.region.startAgent();
  await expect.poll(() => said(lines, 'applied'), { timeout: 30_000 }).toBeDefined();
  const revisions = { disk: old, running: scene.shop.revision() };
  expect(said(lines, 'diskOlderThanRun')).toMatchObject(revisions);
  expect(said(lines, 'applied')).toMatchObject({ revision: revisions.running, subscriptions: 2 });
  process.stdout.write(`full disk: ${JSON.stringify(revisions)}, applied ${revisions.running}\n`);
  expect(await customer.alive()).toBe(true);
  expect(await scene.refused(deleted)).toContain('AUTH_FAILED');
  expect(await (await scene.connect((await download(one, phone.id)).profile)).alive()).toBe(true);
  await scene.shop.back();
});
