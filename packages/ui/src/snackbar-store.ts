import type { MessageType } from './state-icon.tsx';

/** What is shown: type, code and description. */
export type SnackMessage = { type: MessageType; code?: string; text: string };
export type Snack = SnackMessage & { id: number; leaving: boolean };

/** Milliseconds a snack is visible, then the milliseconds until it is cleared. */
const snackVisibleMs = 3300;
const snackClearMs = 1000;
const most = 3;

export type SnackbarStore = ReturnType<typeof createSnackbarStore>;

/**
 * The queue of snacks, outside of React so that a socket or a request can speak too.
 * `hold` (hover, focus of one of them) stops the time of all; `release` gives every snack its whole time again, which is
 * simpler than counting and kinder to a slow reader. One that goes holds no longer: what is taken out of a page under the
 * pointer sends neither a leave nor a blur.
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
    timers.set(id, setTimeout(clear, snackClearMs, id));
  };
  const startTime = (id: number) => {
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(dismiss, snackVisibleMs, id));
  };

  return {
    show(message: SnackMessage): void {
      const id = nextId++;
      // The same words again replace the earlier ones instead of piling up.
      const others = snacks.filter(snack => snack.text !== message.text || snack.type !== message.type);
      const kept = others.slice(1 - most);
      for (const snack of snacks) if (!kept.includes(snack)) clearTimeout(timers.get(snack.id));
      set([...kept, { ...message, id, leaving: false }]);
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
