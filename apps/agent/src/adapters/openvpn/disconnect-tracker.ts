import type { DesiredKey } from '@fixpoint/contract/agent.ts';

/**
 * Remembers from one check to the next which keys are connected to each slot's process: key ids
 * only, no addresses and no times.
 */
export function createDisconnectTracker() {
  const last = new Map<number, { pid: number; there: ReadonlySet<string> }>();
  return {
    /**
     * Returns keys that have disconnected since the last check. A new process has none: its clients
     * may be reconnecting. Before the first check any key may have been connected, seen by an
     * earlier agent.
     * @param keys all allowed keys
     * @param connected ids that are connected now
     */
    since(
      slot: number,
      pid: number,
      keys: readonly DesiredKey[],
      connected: readonly string[],
    ): DesiredKey[] {
      const before = last.get(slot) ?? { pid: undefined, there: new Set(keys.map(({ id }) => id)) };
      const isNew = before.pid !== pid;
      last.set(slot, { pid, there: new Set(isNew ? [...before.there, ...connected] : connected) });
      return isNew ? [] : keys.filter(({ id }) => before.there.has(id) && !connected.includes(id));
    },

    /** Forgets a slot that has no subscription any more. */
    forget: (slot: number) => last.delete(slot),
  };
}
