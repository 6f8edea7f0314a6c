import { describe, expect, it } from 'vitest';
import { createSettings, tableRows, tableSize } from './settings.ts';

const GIB = 1024 ** 3;

describe('FV9 the table of connections', () => {
  it('has room for more than a few subscriptions can open, also on a small host', () => {
    expect(tableSize(GIB)).toBe(262_144);
    expect(tableSize(64 * GIB)).toBeGreaterThan(10_000_000);
    // And is not searched through row by row of forty when it is full.
    expect(tableRows(64 * GIB) * 4).toBeGreaterThanOrEqual(tableSize(64 * GIB));
  });
});

describe('a setting', () => {
  it('that the kernel does not have is told once, and is no drift', () => {
    const events: string[] = [];
    const settings = createSettings(event => void events.push(event));
    const values = { 'kernel/no_such_setting': '1', 'kernel/ostype': 'Linux' };
    settings.set(values);
    settings.set(values);
    expect(events).toEqual(['sysctlKept']);
    const { held, wanted } = settings.compared(values);
    expect(held).toEqual(['kernel/ostype Linux']);
    expect(wanted).toEqual(held);
  });
});
