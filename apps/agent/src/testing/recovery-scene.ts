import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { savedSet } from '../saved-set.ts';
import { eventually, openScene, type Scene } from './scene.ts';
import { download, type Sold, sell } from './subscriptions.ts';

/** A scene with two subscriptions, for tests of recovery. */
export let scene: Scene;
export let one: Sold;
export let two: Sold;
export const phone = { id: 'k_phone1', address: 2 };
export const laptop = { id: 'k_laptop', address: 3 };
export const tablet = { id: 'k_tablet', address: 2 };

/** Opens the scene for a test file and closes it afterwards. */
export function useRecoveryScene(): void {
  beforeAll(async () => {
    // As on a machine without udev, where no unprivileged user could attach.
    chmodSync('/dev/net/tun', 0o600);
    scene = await openScene();
    [one, two] = await Promise.all([
      sell({ slot: 1, bindAddress: '203.0.113.11', keys: [phone, laptop] }),
      sell({ slot: 2, bindAddress: '203.0.113.12', keys: [tablet] }),
    ]);
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
  });
  afterAll(() => scene?.end());
  afterEach(({ task }) => {
    // On failure only the agent's log tells what happened.
    if (task.result?.state === 'fail') process.stdout.write(`${scene.agentLines.slice(-40).join('\n')}\n`);
  });
}

export const setFile = () => join(scene.region.stateDir, 'desired.json');
export const saved = () => savedSet.parse(JSON.parse(readFileSync(setFile(), 'utf8')));

/** Bytes of a key that the host has counted in both directions. */
export const counted = async (keyId: string): Promise<{ down: number; up: number }> => {
  const file = JSON.parse(readFileSync(join(scene.region.runDir, 'usage.json'), 'utf8'));
  const days: { [keyId: string]: { down: number; up: number } }[] = Object.values(file.days);
  return days.at(-1)?.[keyId] ?? { down: 0, up: 0 };
};

export const appliedAgain = (from: number) =>
  eventually('the agent has applied its set', () =>
    scene.agentLines.slice(from).some(line => line.includes('"applied"')),
  );

export async function agentRestarts() {
  const lines = scene.agentLines.length;
  await scene.region.killAgent();
  scene.region.startAgent();
  await appliedAgain(lines);
}

/** Gives the laptop a key again, and connects it. */
export async function connectLaptop() {
  one.desired = { ...one.desired, keys: [phone, laptop] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
  const { profile } = await download(one, laptop.id);
  return { profile, customer: await scene.connect(profile) };
}
