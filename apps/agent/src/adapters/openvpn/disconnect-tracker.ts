import type { DesiredKey } from '@fixpoint/contract/agent.ts';

/**
 * Remembers from one look to the next which keys are connected to the process of each slot: their names and nothing else of
 * them. Not where they are, nor since when.
 */
export function createDisconnectTracker() {
  const last = new Map<number, { pid: number; there: ReadonlySet<string> }>();
  return {
    /**
     * Who has left a slot since the look before. Of a process that is new to us nobody has: its clients may just be coming
     * back. And before the first look anybody may have been there, whom an earlier agent has seen or nobody.
     * @param keys all that are let in
     * @param connected ids of those that are there now
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

    /** A slot that has nobody any more. */
    forget: (slot: number) => last.delete(slot),
  };
}
