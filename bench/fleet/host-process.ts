import { pauseMs } from '@fixpoint/agent/loop.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import type { Joining } from './prepare.ts';

/**
 * The simulated hosts, in a process of their own: what they cost is none of the shop's, and nobody's time is measured in
 * between. Told whom to join, it says when each has its whole set, and of each change what that host has now.
 */

/** To this process: what is to join, and where. */
export type Join = { socketPath: string; joining: Joining[] };
/** From it: a host was given this revision, with so many keys of the subscriptions that it was told about. */
export type Given = { hostId: string; revision: number; keys: [subscriptionId: string, count: number][] };
export type Told = { given: Given } | { joined: true };

/** So many join at a time. */
const JOINING = 16;
const JOIN_MS = 600_000;
/** Of the real agent, when all is well. */
const NEXT_MS = 100;

const tell = (told: Told) => process.send!(told);
const pause = (failures: number) => (failures === 0 ? NEXT_MS : pauseMs(failures - 1));
const fleet: FakeHost[] = [];

async function joinSome(socketPath: string, queue: Joining[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { hostId, token, subscriptions: runs } = next;
    const host = await startFakeHost(
      { socketPath },
      token,
      answer => {
        const keys = answer.subscriptions.map(({ id, keys }): Given['keys'][number] => [id, keys.length]);
        tell({ given: { hostId, revision: answer.revision, keys } });
      },
      pause,
    );
    fleet.push(host);
    await until(async () => host.set()?.subscriptions.length === runs, `the set of ${hostId}`, JOIN_MS);
  }
}

process.once('message', async ({ socketPath, joining }: Join) => {
  await Promise.all(Array.from({ length: JOINING }, () => joinSome(socketPath, joining)));
  tell({ joined: true });
});
process.once('disconnect', async () => {
  await Promise.all(fleet.map(host => host.stop()));
  process.exit();
});
