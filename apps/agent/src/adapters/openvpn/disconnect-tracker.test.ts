import { describe, expect, it } from 'vitest';
import { createDisconnectTracker } from './disconnect-tracker.ts';

const [phone, laptop, tablet] = ['k_phone', 'k_laptop', 'k_tablet'].map((id, n) => ({ id, address: 2 + n }));
const keys = [phone!, laptop!, tablet!];
const [SLOT, PID] = [1, 7];

describe('FV11 who has left since the last look', () => {
  it('is who was there and is not, once', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop', 'k_tablet']);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_tablet'])).toEqual([laptop]);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_tablet'])).toEqual([]);
    expect(disconnects.since(SLOT, PID, keys, ['k_laptop'])).toEqual([phone, tablet]);
  });

  it('is no key of which another session goes on, none that was deleted, none of another slot', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_phone', 'k_laptop']);
    disconnects.since(2, 8, [], []);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop'])).toEqual([tablet]);
    expect(disconnects.since(SLOT, PID, [phone!], ['k_phone'])).toEqual([]);
    expect(disconnects.since(2, 8, [], [])).toEqual([]);
  });

  it('is everybody who is not there at the second look, where nobody knows who was there before the first', () => {
    const disconnects = createDisconnectTracker();
    expect(disconnects.since(SLOT, PID, keys, ['k_phone'])).toEqual([]);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone'])).toEqual([laptop, tablet]);
  });

  it('is nobody whose process was just replaced, but whoever has not come back by the next look', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, []);
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop']);
    expect(disconnects.since(SLOT, 8, keys, [])).toEqual([]);
    expect(disconnects.since(SLOT, 8, keys, ['k_phone'])).toEqual([laptop]);
  });
});
