import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Given, Join, Told } from './host-process.ts';
import type { Joining } from './prepare.ts';

/** The simulated hosts as the bench sees them. */
export type Hosts = {
  pid: number;
  /** Resolves when each of them has its whole set. */
  join(socketPath: string, joining: Joining[]): Promise<void>;
  /** Resolves when a host has been given so many keys of a subscription. @throws Error when that takes a minute */
  keysOf(subscriptionId: string, count: number): Promise<void>;
  /** Resolves when each of these hosts has been given something more, from now on. */
  allGiven(hostIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const PATIENCE_MS = 60_000;

/** Starts their process: nobody has joined yet. */
export function startHosts(): Hosts {
  const child = fork(fileURLToPath(new URL('./host-process.ts', import.meta.url)));
  const ended = once(child, 'exit');
  const listeners = new Set<(given: Given) => boolean>();
  child.on('message', (told: Told) => {
    if ('given' in told) for (const hears of listeners) if (hears(told.given)) listeners.delete(hears);
  });
  /** Resolves when `hears` says that it has heard enough. */
  const heard = (what: string, hears: (given: Given) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no host has heard of ${what}`)), PATIENCE_MS);
      listeners.add(given => {
        const enough = hears(given);
        if (enough) {
          clearTimeout(timer);
          resolve();
        }
        return enough;
      });
    });
  return {
    pid: child.pid!,
    join: (socketPath, joining) =>
      new Promise((resolve, reject) => {
        void ended.then(() => reject(new Error('the hosts ended')));
        child.on('message', (told: Told) => 'joined' in told && resolve());
        child.send({ socketPath, joining } satisfies Join);
      }),
    keysOf: (subscriptionId, count) =>
      heard(subscriptionId, ({ keys }) => keys.some(([id, has]) => id === subscriptionId && has === count)),
    allGiven: hostIds => {
      const missing = new Set(hostIds);
      return heard('its change', ({ hostId }) => missing.delete(hostId) && missing.size === 0);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
