import { pauseMs } from '@fixpoint/agent/loop.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import type { Joining } from './prepare.ts';

/**
 * Runs the simulated hosts in their own process, so that their cost is measured apart from the shop's. Reports when all
 * hosts have their desired set, and each change that a host receives.
 */

/** Message to this process: the hosts that join, and where. */
export type Join = { socketPath: string; joining: Joining[] };
/** A host received this revision; the number of keys of each subscription in it. */
export type Delivered = { hostId: string; revision: number; keys: [subscriptionId: string, count: number][] };
/** Message from this process. */
export type HostMessage = { delivered: Delivered } | { joined: true };

/** Hosts that join at a time. */
const JOINING = 16;
const JOIN_MS = 600_000;
/** The real agent's pause after a successful poll. */
const NEXT_MS = 100;

const send = (message: HostMessage) => process.send!(message);
const pause = (failures: number) => (failures === 0 ? NEXT_MS : pauseMs(failures - 1));
const fleet: FakeHost[] = [];

async function joinSome(socketPath: string, queue: Joining[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { hostId, token, subscriptions: runs } = next;
    const host = await startFakeHost(
      { socketPath },
      token,
      answer => {
        const keys = answer.subscriptions.map(({ id, keys }): Delivered['keys'][number] => [id, keys.length]);
        send({ delivered: { hostId, revision: answer.revision, keys } });
      },
      pause,
    );
    fleet.push(host);
    await until(async () => host.set()?.subscriptions.length === runs, `the set of ${hostId}`, JOIN_MS);
  }
}

process.once('message', async ({ socketPath, joining }: Join) => {
  await Promise.all(Array.from({ length: JOINING }, () => joinSome(socketPath, joining)));
  send({ joined: true });
});
process.once('disconnect', async () => {
  await Promise.all(fleet.map(host => host.stop()));
  process.exit();
});
