import { describe, expect, it } from 'vitest';
import { type DiagnosisFacts, diagnose } from './diagnosis.ts';

const now = new Date('2026-11-20T05:00:00Z');
const hours = (n: number) => new Date(now.getTime() + n * 3_600_000);
const well: DiagnosisFacts = {
  status: 'active',
  owed: false,
  suspended: false,
  places: 3,
  keys: [{ id: 'key_a', validUntil: hours(1000), outdated: false, settingUp: false }],
  host: { heard: true, server: 'up' },
  seen: [{ outcome: 'connected', keyId: 'key_a' }],
  now,
  deviceTime: now,
};
/** Failed checks, as `check: verdict cause`. */
const wrong = (change: Partial<DiagnosisFacts>) =>
  diagnose({ ...well, ...change })
    .filter(({ verdict }) => verdict !== 'good')
    .map(({ check, verdict, cause }) => `${check}: ${verdict}${cause ? ` ${cause}` : ''}`);

describe('why a VPN does not work', () => {
  it('runs all checks in order, and finds nothing where all is well', () => {
    expect(diagnose(well).map(({ check }) => check)).toEqual([
      ...['paid', 'key', 'file', 'host', 'seen', 'places', 'clock', 'path'],
    ]);
    expect(wrong({})).toEqual([]);
  });

  it('reports an unpaid subscription, and asks no host about it', () => {
    const unasked = ['host: unknown', 'seen: unknown', 'path: unknown'];
    expect(wrong({ status: 'expired', seen: undefined })).toEqual(['paid: bad ended', ...unasked]);
    expect(wrong({ status: 'provisioning', seen: undefined })).toEqual(['paid: bad notSetUp', ...unasked]);
    expect(wrong({ suspended: true, seen: undefined })).toEqual(['paid: bad suspended', ...unasked]);
    // Service continues while a payment is late.
    expect(wrong({ status: 'pastDue', owed: true })).toEqual(['paid: note owed']);
  });

  it('reports files that have expired, and an outdated one only as a note', () => {
    expect(wrong({ keys: [] })).toEqual(['key: bad noKey', 'file: unknown']);
    const [good] = well.keys;
    const ended = { id: 'key_b', validUntil: now, outdated: true, settingUp: false };
    expect(wrong({ keys: [ended] })).toEqual(['file: bad fileEnded']);
    expect(wrong({ keys: [good!, ended] })).toEqual(['file: note fileEnded']);
    expect(wrong({ keys: [{ id: 'key_b', outdated: false, settingUp: false }] })).toEqual([
      'file: bad noFile',
    ]);
    const old = { ...good!, outdated: true };
    expect(diagnose({ ...well, keys: [old] })[2]).toEqual({
      check: 'file',
      verdict: 'note',
      cause: 'fileOutdated',
      keyIds: ['key_a'],
    });
  });

  it('distinguishes a silent host, a moving subscription and a server that is down', () => {
    const silent = { heard: false, since: hours(-1), server: 'up' } as const;
    expect(diagnose({ ...well, host: silent })[3]).toEqual({
      check: 'host',
      verdict: 'bad',
      cause: 'hostSilent',
      since: hours(-1).toISOString(),
    });
    expect(wrong({ host: { heard: true, server: 'desired' } })).toEqual(['host: note hostMoving']);
    expect(wrong({ host: { heard: true, server: 'failed' } })).toEqual(['host: bad serverDown']);
  });

  it('classifies what the host sees of the devices', () => {
    // No answer is never good, however lately the host has reported.
    expect(wrong({ seen: undefined })).toEqual(['host: unknown noAnswer', 'seen: unknown', 'path: unknown']);
    expect(wrong({ seen: [] })).toEqual(['seen: note nothingSeen', 'path: unknown']);
    expect(wrong({ seen: [{ outcome: 'refused' }] })).toEqual(['seen: bad refused', 'path: unknown']);
    expect(wrong({ seen: [{ outcome: 'unknownKey', keyId: 'key_old' }] })).toEqual([
      'seen: bad unknownKey',
      'path: unknown',
    ]);
    expect(wrong({ seen: [{ outcome: 'unanswered' }] })).toEqual([
      'seen: bad unanswered',
      'path: bad pathOrClock',
    ]);
    // Another device is connected: the fault lies in this device, not in the line.
    expect(diagnose({ ...well, seen: [...well.seen!, { outcome: 'refused' }] })[4]).toEqual({
      check: 'seen',
      verdict: 'note',
      cause: 'refused',
      keyIds: ['key_a'],
    });
  });

  it('K21 names devices that the host does not know yet', () => {
    const [known] = well.keys;
    const waiting = { ...known!, id: 'key_new', settingUp: true };
    expect(diagnose({ ...well, keys: [known!, waiting] })[1]).toEqual({
      check: 'key',
      verdict: 'note',
      cause: 'settingUp',
      keyIds: ['key_new'],
    });
    expect(wrong({ keys: [waiting] })).toEqual(['key: bad settingUp']);
  });

  it('K19 is not content with a device that was let in just now, and names one that is used twice', () => {
    const just = { outcome: 'connected', keyId: 'key_a', justConnected: true } as const;
    expect(wrong({ seen: [just] })).toEqual(['seen: note justConnected']);
    const twice = diagnose({ ...well, seen: [{ ...just, usedTwice: true }] })[4];
    expect(twice).toEqual({ check: 'seen', verdict: 'bad', cause: 'usedTwice', keyIds: ['key_a'] });
  });

  it('reports that all places are taken, and a device clock that is more than an hour off', () => {
    expect(wrong({ places: 1 })).toEqual(['places: note full']);
    expect(wrong({ deviceTime: hours(1) })).toEqual([]);
    expect(wrong({ deviceTime: new Date(hours(1).getTime() + 1) })).toEqual(['clock: bad clockOff']);
    expect(wrong({ deviceTime: hours(-25) })).toEqual(['clock: bad clockOff']);
  });
});
