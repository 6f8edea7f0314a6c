import type { MessageType } from './state-icon.tsx';

/** What is shown: type, code and description (W26). */
export type SnackMessage = { type: MessageType; code?: string; text: string };
export type Snack = SnackMessage & { id: number; leaving: boolean };

/** Milliseconds a snack is visible, then the milliseconds until it is cleared (W53). */
const snackVisibleMs = 3300;
const snackClearMs = 1000;
const most = 3;

export type SnackbarStore = ReturnType<typeof createSnackbarStore>;

/**
 * The queue of snacks, outside of React so that a socket or a request can speak too.
 * `hold` (hover, focus) stops the time; `release` gives every snack its whole time again, which is simpler than
 * counting and kinder to a slow reader.
 */
export function createSnackbarStore() {
  let snacks: readonly Snack[] = [];
  let nextId = 1;
  let held = false;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const set = (next: readonly Snack[]) => {
    snacks = next;
    for (const listener of listeners) listener();
  };
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
      if (!held) startTime(id);
    },
    dismiss,
    hold(): void {
      held = true;
      for (const snack of snacks) if (!snack.leaving) clearTimeout(timers.get(snack.id));
    },
    release(): void {
      held = false;
      for (const snack of snacks) if (!snack.leaving) startTime(snack.id);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: (): readonly Snack[] => snacks,
  };
}
