import { describe, expect, it } from 'vitest';
import { createDevices, devicesOf } from './devices.ts';
import type { ProcessSnapshot } from './management.ts';

const snapshot = (started: ProcessSnapshot['started'] = [], sent = 0, pid = 7): ProcessSnapshot => ({
  pid,
  started,
  sent,
});
const phone = { id: '3', keyId: 'key_phone', served: true };
const keys = ['key_phone', 'key_laptop'];

describe('the outcomes that a host reports of connecting devices', () => {
  it('contain connected devices, and none whose handshake is in progress', () => {
    const now = snapshot([phone, { id: '4', keyId: 'key_laptop', served: false }], 9_000);
    expect(devicesOf(snapshot(), now, keys)).toEqual([{ outcome: 'connected', keyId: 'key_phone' }]);
  });

  it('contain a key that is not the subscription’s', () => {
    const gone = { id: '4', keyId: 'key_gone', served: false };
    expect(devicesOf(snapshot(), snapshot([gone]), keys)).toEqual([
      { outcome: 'unknownKey', keyId: 'key_gone' },
    ]);
  });

  it('contain a stalled handshake, but not one that has just started', () => {
    const unnamed = [{ id: '5', served: false }];
    expect(devicesOf(snapshot(), snapshot(unnamed, 1_366), keys)).toEqual([]);
    expect(devicesOf(snapshot(unnamed, 1_366), snapshot(unnamed, 2_572), keys)).toEqual([
      { outcome: 'unanswered' },
    ]);
    // The same number in a restarted process belongs to another client.
    expect(devicesOf(snapshot(unnamed, 1_366), snapshot(unnamed, 1_366, 8), keys)).toEqual([]);
  });

  it('contain a refusal when bytes were sent and nobody is connected who could have received them', () => {
    expect(devicesOf(snapshot([], 100), snapshot([], 1_532), keys)).toEqual([{ outcome: 'refused' }]);
    expect(devicesOf(snapshot([], 100), snapshot([], 100), keys)).toEqual([]);
    expect(devicesOf(snapshot([phone], 100), snapshot([], 1_532), keys)).toEqual([]);
    expect(devicesOf(snapshot([], 0), snapshot([], 1_532, 8), keys)).toEqual([]);
  });

  it('K19 say that two devices use one file in turn, after its session was replaced twice', async () => {
    const devices = createDevices(0, 1_000);
    const session = (id: string, fresh = true) => snapshot([{ ...phone, id, fresh }], 9_000);
    const seen = (now: ProcessSnapshot) => devices.seen(1, keys, async () => now);
    const just = { outcome: 'connected', keyId: 'key_phone', justConnected: true };
    expect(await seen(session('3'))).toEqual([just]);
    expect(await seen(session('3'))).toEqual([just]);
    // One device that reconnects does this too.
    expect(await seen(session('4'))).toEqual([just]);
    expect(await seen(session('5'))).toEqual([{ ...just, usedTwice: true }]);
    expect(await seen(session('5'))).toEqual([{ ...just, usedTwice: true }]);
    // Numbers of another process say nothing, and nothing is kept of another slot.
    expect(await devices.seen(2, keys, async () => session('6', false))).toEqual([
      { outcome: 'connected', keyId: 'key_phone' },
    ]);
    expect(await seen(snapshot([{ ...phone, id: '0' }], 9_000, 8))).toEqual([
      { outcome: 'connected', keyId: 'key_phone', usedTwice: true },
    ]);
  });

  it('still contain a refusal from before a restart, for the next question only', async () => {
    const devices = createDevices(0, 1_000);
    const seen = (now: ProcessSnapshot) => devices.seen(1, keys, async () => now);
    expect(await seen(snapshot([], 100))).toEqual([]);
    devices.recordRestart(1, snapshot([], 1_532));
    expect(await seen(snapshot([], 0, 8))).toEqual([{ outcome: 'refused' }]);
    expect(await seen(snapshot([], 0, 8))).toEqual([]);
    // Nothing is stored for a slot that nobody has asked about.
    devices.recordRestart(2, snapshot([], 1_532));
    expect(await devices.seen(2, keys, async () => snapshot([], 0, 8))).toEqual([]);
  });

  it('wait between the two snapshots, keep the last one for the next question, and forget it', async () => {
    const looks: ProcessSnapshot[] = [];
    const devices = createDevices(30, 60);
    const look = async () => {
      looks.push(snapshot([{ id: '5', served: false }]));
      return looks.at(-1);
    };
    expect(await devices.seen(1, keys, look)).toEqual([{ outcome: 'unanswered' }]);
    expect(looks).toHaveLength(2);
    expect(await devices.seen(1, keys, look)).toEqual([{ outcome: 'unanswered' }]);
    expect(looks).toHaveLength(3);
    await new Promise(done => setTimeout(done, 90));
    await devices.seen(1, keys, look);
    expect(looks).toHaveLength(5);
    expect(await devices.seen(2, keys, async () => undefined)).toEqual([]);
  });
});
