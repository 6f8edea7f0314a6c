import { expect, test, vi } from 'vitest';
import { checkDns } from './dns-records.ts';
import type { Machine } from './machine.ts';

const failed = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const machineWith = (records: Record<string, string[]>, otherwise = 'ENODATA') => {
  const found = (name: string) => (records[name] ? Promise.resolve(records[name]) : failed(otherwise));
  const dns = {
    resolve4: found,
    resolve6: () => failed(otherwise),
    resolveTxt: async (name: string) => [await found(name)],
    cancel: () => {},
  };
  return { dns } as unknown as Machine;
};
const urls = ['https://shop.example.com', 'https://pay.example.com'];
const sender = 'Example VPN <hello@example.com>';

test('OP15 complete records leave nothing to do', async () => {
  const machine = machineWith({
    'shop.example.com': ['192.0.2.1'],
    'pay.example.com': ['192.0.2.1'],
    // A long record comes in parts.
    'example.com': ['v=spf', '1 -all'],
    '_dmarc.example.com': ['v=DMARC1; p=none'],
  });
  expect(await checkDns(machine, urls, sender)).toEqual([]);
});

test('OP15 each record that is absent is named with the record to add', async () => {
  const found = await checkDns(machineWith({ 'shop.example.com': ['192.0.2.1'] }), urls, sender);
  expect(found.map(({ about }) => about)).toEqual([
    'DNS of pay.example.com',
    'DNS of example.com',
    'DNS of _dmarc.example.com',
  ]);
  expect(found.map(({ todo }) => todo).join()).toMatch(/an A record.*v=spf1.*v=DMARC1/);
});

test('OP15 a name server that does not answer says nothing about the records', async () => {
  const found = await checkDns(machineWith({}, 'ETIMEOUT'), urls, sender);
  expect(found).toHaveLength(4);
  for (const { todo } of found) expect(todo).toContain('No name server answers');
});

test('OP15 a name server that never answers holds a set-up for five seconds, whatever the number of records', async () => {
  vi.useFakeTimers();
  try {
    const asked: (() => void)[] = [];
    const never = () => new Promise((_, reject) => asked.push(() => reject(new Error('ECANCELLED'))));
    const cancel = () => {
      for (const end of asked) end();
    };
    const dns = { resolve4: never, resolve6: never, resolveTxt: never, cancel };
    const found = checkDns({ dns } as unknown as Machine, urls, sender);
    expect(asked).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await found).map(({ todo }) => todo).join()).toMatch(
      /^(No name server answers[^,]+,[^,]+,?){4}$/,
    );
  } finally {
    vi.useRealTimers();
  }
});
