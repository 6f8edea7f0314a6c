import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSnackbarStore } from './snackbar-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const texts = (store: ReturnType<typeof createSnackbarStore>) => store.snapshot().map(snack => snack.text);

describe('snackbar', () => {
  it('shows for 3.3 s and is removed one second later', () => {
    const store = createSnackbarStore();
    store.show({ type: 'success', text: 'Saved' });
    vi.advanceTimersByTime(3299);
    expect(store.snapshot()[0]?.leaving).toBe(false);
    vi.advanceTimersByTime(1);
    expect(store.snapshot()[0]?.leaving).toBe(true);
    vi.advanceTimersByTime(999);
    expect(texts(store)).toEqual(['Saved']);
    vi.advanceTimersByTime(1);
    expect(texts(store)).toEqual([]);
  });

  it('pauses while the pointer or the focus is on it', () => {
    const store = createSnackbarStore();
    store.show({ type: 'info', text: 'Read me' });
    vi.advanceTimersByTime(3000);
    store.hold(store.snapshot()[0]!.id);
    store.show({ type: 'info', text: 'Me too' });
    vi.advanceTimersByTime(60_000);
    expect(store.snapshot().some(snack => snack.leaving)).toBe(false);
    store.release();
    vi.advanceTimersByTime(3299);
    expect(texts(store)).toEqual(['Read me', 'Me too']);
    vi.advanceTimersByTime(1001);
    expect(texts(store)).toEqual([]);
  });

  it('does not pause for a snack that has gone from under the pointer', () => {
    const store = createSnackbarStore();
    const hold = () => store.hold(store.snapshot()[0]!.id);
    store.show({ type: 'info', text: 'Away' });
    vi.advanceTimersByTime(3300);
    hold();
    vi.advanceTimersByTime(1000);
    store.show({ type: 'info', text: 'Next' });
    hold();
    store.show({ type: 'info', text: 'Next' });
    hold();
    store.show({ type: 'info', text: 'Beside' });
    store.dismiss(store.snapshot()[0]!.id);
    vi.advanceTimersByTime(3300);
    expect(store.snapshot().map(({ text, leaving }) => [text, leaving])).toEqual([['Beside', true]]);
    vi.advanceTimersByTime(1000);
    expect(texts(store)).toEqual([]);
  });

  it('shows the newest three, and equal messages once', () => {
    const store = createSnackbarStore();
    for (const text of ['a', 'b', 'c', 'd']) store.show({ type: 'info', text });
    expect(texts(store)).toEqual(['b', 'c', 'd']);
    vi.advanceTimersByTime(3000);
    store.show({ type: 'info', text: 'c' });
    expect(texts(store)).toEqual(['b', 'd', 'c']);
    vi.advanceTimersByTime(1300);
    expect(texts(store)).toEqual(['c']);
  });

  it('can be dismissed and notifies its listeners', () => {
    const store = createSnackbarStore();
    const seen = vi.fn();
    const unsubscribe = store.subscribe(seen);
    store.show({ type: 'error', code: '2002', text: 'Declined' });
    store.dismiss(store.snapshot()[0]!.id);
    vi.advanceTimersByTime(1000);
    expect(texts(store)).toEqual([]);
    expect(seen).toHaveBeenCalledTimes(3);
    unsubscribe();
    store.show({ type: 'info', text: 'unheard' });
    expect(seen).toHaveBeenCalledTimes(3);
  });
});
