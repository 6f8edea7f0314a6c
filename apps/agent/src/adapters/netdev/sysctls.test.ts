import { describe, expect, it } from 'vitest';
import { createSysctls, hostSettings, tableRows, tableSize } from './sysctls.ts';

const GIB = 1024 ** 3;

describe('FV9 the connection table', () => {
  it('has room for many subscriptions, also on a small host', () => {
    expect(tableSize(GIB)).toBe(262_144);
    expect(tableSize(64 * GIB)).toBeGreaterThan(10_000_000);
    // Keeps hash chains short when the table is full.
    expect(tableRows(64 * GIB) * 4).toBeGreaterThanOrEqual(tableSize(64 * GIB));
  });
});

it('S81 a hardened host logs no senders, neither of its own devices nor of new ones', () => {
  const off = Object.entries(hostSettings('eth0')).filter(([name]) => name.endsWith('/log_martians'));
  expect(off.map(([name, value]) => `${name.split('/')[3]} ${value}`)).toEqual([
    'all 0',
    'default 0',
    'lo 0',
    'eth0 0',
  ]);
});

it('FV11 no path to a customer is remembered longer than traces of them may exist', () => {
  expect(Number(hostSettings('eth0')['net/ipv4/route/mtu_expires'])).toBeLessThan(120);
});

describe('a sysctl', () => {
  it('that the kernel lacks is logged once and is no drift', () => {
    const events: string[] = [];
    const settings = createSysctls(event => void events.push(event));
    const values = { 'kernel/no_such_setting': '1', 'kernel/ostype': 'Linux' };
    settings.set(values);
    settings.set(values);
    expect(events).toEqual(['sysctlKept']);
    const { actual, wanted } = settings.compared(values);
    expect(actual).toEqual(['kernel/ostype Linux']);
    expect(wanted).toEqual(actual);
  });
});
