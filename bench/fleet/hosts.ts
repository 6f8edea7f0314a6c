import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Delivered, HostMessage, Join } from './host-process.ts';
import type { Joining } from './prepare.ts';

/** Handle of the process of simulated hosts. */
export type Hosts = {
  pid: number;
  /** Resolves when each host has its desired set. */
  join(socketPath: string, joining: Joining[]): Promise<void>;
  /** Resolves when a host has received `count` keys of a subscription. @throws Error after a minute */
  keysOf(subscriptionId: string, count: number): Promise<void>;
  /** Resolves when each of these hosts has received a change from now on. */
  allDelivered(hostIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const TIMEOUT_MS = 60_000;

/** Starts the process; no host has joined yet. */
export function startHosts(): Hosts {
  const child = fork(fileURLToPath(new URL('./host-process.ts', import.meta.url)));
  const exited = once(child, 'exit');
  const listeners = new Set<(delivered: Delivered) => boolean>();
  child.on('message', (message: HostMessage) => {
    if (!('delivered' in message)) return;
    for (const listener of listeners) if (listener(message.delivered)) listeners.delete(listener);
  });
  /** Resolves when `isEnough` returns true for a delivery. */
  const waitFor = (what: string, isEnough: (delivered: Delivered) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no host has received ${what}`)), TIMEOUT_MS);
      listeners.add(delivered => {
        const enough = isEnough(delivered);
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
        void exited.then(() => reject(new Error('the process of the hosts exited')));
        child.on('message', (message: HostMessage) => 'joined' in message && resolve());
        child.send({ socketPath, joining } satisfies Join);
      }),
    keysOf: (subscriptionId, count) =>
      waitFor(subscriptionId, ({ keys }) => keys.some(([id, has]) => id === subscriptionId && has === count)),
    allDelivered: hostIds => {
      const missing = new Set(hostIds);
      return waitFor('its change', ({ hostId }) => missing.delete(hostId) && missing.size === 0);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
