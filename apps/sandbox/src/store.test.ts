import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from './ids.ts';
import { createStore, type Store } from './store.ts';

let dir: string;
let opened: Store[] = [];
const open = () => {
  const store = createStore(dir);
  opened.push(store);
  return store;
};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => {
  for (const store of opened) store.close();
  opened = [];
  rmSync(dir, { recursive: true });
});

describe('the store', () => {
  it('keeps what was put, changed and deleted, in order', () => {
    const store = open();
    const table = store.table<{ n: number }>('things');
    for (const id of ['a', 'b', 'c']) table.put(id, { n: 1 });
    table.put('a', { n: 2 });
    table.delete('b');
    store.close();
    expect(open().table('things').all()).toEqual([{ n: 2 }, { n: 1 }]);
  });

  it('also keeps very many rows', () => {
    const store = open();
    const table = store.table<number>('things');
    for (let n = 0; n < 200_000; n += 1) table.put(`${n}`, n);
    store.close();
    expect(open().table('things').all()).toHaveLength(200_000);
  });

  it('writes within 100 ms by itself', async () => {
    open().table('things').put('a', { n: 1 });
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(open().table('things').get('a')).toEqual({ n: 1 });
  });

  it('drops a last line that a crash cut off, and nothing else', () => {
    const store = open();
    store.table('things').put('a', { n: 1 });
    store.close();
    appendFileSync(join(dir, 'state.jsonl'), '[["things","a",{"n":2}],["things","b",{"n"');
    expect(open().table('things').all()).toEqual([{ n: 1 }]);
  });

  it('refuses a file that is damaged in the middle', () => {
    writeFileSync(join(dir, 'state.jsonl'), '[["things"\n[["things","b",1]]\n');
    expect(open).toThrow('damaged at line 1');
  });

  it('is compacted into one line when opened, and readable by its owner only', () => {
    const store = open();
    for (const n of [1, 2, 3]) {
      store.table('things').put('a', { n });
      store.flush();
    }
    open();
    expect(readFileSync(join(dir, 'state.jsonl'), 'utf8')).toBe('[["things","a",{"n":3}]]\n');
    expect(statSync(join(dir, 'state.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('never gives an id twice, even if the last changes were lost', () => {
    const store = open();
    const ids = createIds(store);
    store.flush();
    const given = Array.from({ length: 50 }, () => ids.next('pi_'));
    // No flush, as after a crash.
    const after = createIds(open());
    expect(given).not.toContain(after.next('pi_'));
    expect(new Set(given).size).toBe(50);
  });
});
