import type { MessageType } from './state-icon.tsx';

/** Type, code and text of a snack. */
export type SnackMessage = { type: MessageType; code?: string; text: string };
export type Snack = SnackMessage & { id: number; leaving: boolean };

/** Time that a snack is visible, then until it is removed, ms. */
const VISIBLE_MS = 3300;
const CLEAR_MS = 1000;
const MAX_SNACKS = 3;

export type SnackbarStore = ReturnType<typeof createSnackbarStore>;

/**
 * Queue of snacks, outside of React so that sockets and requests can add to it. `hold` (hover or
 * focus) stops the timers of all; `release` restarts them in full. A snack that goes releases its
 * hold: an element removed under the pointer fires neither leave nor blur.
 */
export function createSnackbarStore() {
  let snacks: readonly Snack[] = [];
  let nextId = 1;
  let holder: number | undefined;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const release = () => {
    holder = undefined;
    for (const snack of snacks) if (!snack.leaving) startTime(snack.id);
  };
  const set = (next: readonly Snack[]) => {
    snacks = next;
    if (holder !== undefined && !isShown(holder)) release();
    for (const listener of listeners) listener();
  };
  const isShown = (id: number) => snacks.some(snack => snack.id === id && !snack.leaving);
  const clear = (id: number) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    set(snacks.filter(snack => snack.id !== id));
  };
  const dismiss = (id: number) => {
    clearTimeout(timers.get(id));
    set(snacks.map(snack => (snack.id === id ? { ...snack, leaving: true } : snack)));
    timers.set(id, setTimeout(clear, CLEAR_MS, id));
  };
  const startTime = (id: number) => {
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(dismiss, VISIBLE_MS, id));
  };

  return {
    show(message: SnackMessage): void {
      const id = nextId++;
      // An equal message replaces the earlier one.
      const others = snacks.filter(snack => snack.text !== message.text || snack.type !== message.type);
      const remaining = others.slice(1 - MAX_SNACKS);
      for (const snack of snacks) if (!remaining.includes(snack)) clearTimeout(timers.get(snack.id));
      set([...remaining, { ...message, id, leaving: false }]);
      if (holder === undefined) startTime(id);
    },
    dismiss,
    hold(id: number): void {
      if (!isShown(id)) return;
      holder = id;
      for (const snack of snacks) if (!snack.leaving) clearTimeout(timers.get(snack.id));
    },
    release,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: (): readonly Snack[] => snacks,
  };
}
