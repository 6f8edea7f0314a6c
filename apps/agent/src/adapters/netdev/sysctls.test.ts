import { describe, expect, it } from 'vitest';
import { createSysctls, hostSettings, tableRows, tableSize } from './sysctls.ts';

const GIB = 1024 ** 3;

describe('FV9 the table of connections', () => {
  it('has room for more than a few subscriptions can open, also on a small host', () => {
    expect(tableSize(GIB)).toBe(262_144);
    expect(tableSize(64 * GIB)).toBeGreaterThan(10_000_000);
    // And is not searched through row by row of forty when it is full.
    expect(tableRows(64 * GIB) * 4).toBeGreaterThanOrEqual(tableSize(64 * GIB));
  });
});

it('S81 a hardened host writes down no senders: not of its own devices, nor of new ones', () => {
  const off = Object.entries(hostSettings('eth0')).filter(([name]) => name.endsWith('/log_martians'));
  expect(off.map(([name, value]) => `${name.split('/')[3]} ${value}`)).toEqual([
    'all 0',
    'default 0',
    'lo 0',
    'eth0 0',
  ]);
});

it('FV11 no path to a customer is remembered for as long as nothing of him may be', () => {
  expect(Number(hostSettings('eth0')['net/ipv4/route/mtu_expires'])).toBeLessThan(120);
});

describe('a setting', () => {
  it('that the kernel does not have is told once, and is no drift', () => {
    const events: string[] = [];
    const settings = createSysctls(event => void events.push(event));
    const values = { 'kernel/no_such_setting': '1', 'kernel/ostype': 'Linux' };
    settings.set(values);
    settings.set(values);
    expect(events).toEqual(['sysctlKept']);
    const { held, wanted } = settings.compared(values);
    expect(held).toEqual(['kernel/ostype Linux']);
    expect(wanted).toEqual(held);
  });
});
