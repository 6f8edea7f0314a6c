import { describe, expect, it } from 'vitest';
import { createDisconnectTracker } from './disconnect-tracker.ts';

const [phone, laptop, tablet] = ['k_phone', 'k_laptop', 'k_tablet'].map((id, n) => ({ id, address: 2 + n }));
const keys = [phone!, laptop!, tablet!];
const [SLOT, PID] = [1, 7];

describe('FV11 keys that have disconnected since the last check', () => {
  it('are those that were connected and are not, reported once', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop', 'k_tablet']);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_tablet'])).toEqual([laptop]);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_tablet'])).toEqual([]);
    expect(disconnects.since(SLOT, PID, keys, ['k_laptop'])).toEqual([phone, tablet]);
  });

  it('exclude keys with another session, deleted keys, and keys of another slot', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_phone', 'k_laptop']);
    disconnects.since(2, 8, [], []);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop'])).toEqual([tablet]);
    expect(disconnects.since(SLOT, PID, [phone!], ['k_phone'])).toEqual([]);
    expect(disconnects.since(2, 8, [], [])).toEqual([]);
  });

  it('are, at the second check, all that are not connected, because earlier connections are unknown', () => {
    const disconnects = createDisconnectTracker();
    expect(disconnects.since(SLOT, PID, keys, ['k_phone'])).toEqual([]);
    expect(disconnects.since(SLOT, PID, keys, ['k_phone'])).toEqual([laptop, tablet]);
  });

  it('exclude clients of a replaced process until they miss the next check', () => {
    const disconnects = createDisconnectTracker();
    disconnects.since(SLOT, PID, keys, []);
    disconnects.since(SLOT, PID, keys, ['k_phone', 'k_laptop']);
    expect(disconnects.since(SLOT, 8, keys, [])).toEqual([]);
    expect(disconnects.since(SLOT, 8, keys, ['k_phone'])).toEqual([laptop]);
  });
});
