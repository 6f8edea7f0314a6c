import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from './ids.ts';
import { createStore } from './store.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('the store', () => {
  it('keeps what was put, changed and deleted, in order', () => {
    const store = createStore(dir);
    const table = store.table<{ n: number }>('things');
    for (const id of ['a', 'b', 'c']) table.put(id, { n: 1 });
    table.put('a', { n: 2 });
    table.delete('b');
    store.close();
    expect(createStore(dir).table('things').all()).toEqual([{ n: 2 }, { n: 1 }]);
  });

  it('writes within 100 ms without being asked', async () => {
    createStore(dir).table('things').put('a', { n: 1 });
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(createStore(dir).table('things').get('a')).toEqual({ n: 1 });
  });

  it('drops a last line that a crash cut off, and nothing else', () => {
    const store = createStore(dir);
    store.table('things').put('a', { n: 1 });
    store.close();
    appendFileSync(join(dir, 'state.jsonl'), '[["things","a",{"n":2}],["things","b",{"n"');
    expect(createStore(dir).table('things').all()).toEqual([{ n: 1 }]);
  });

  it('refuses a file that is damaged in the middle', () => {
    writeFileSync(join(dir, 'state.jsonl'), '[["things"\n[["things","b",1]]\n');
    expect(() => createStore(dir)).toThrow('damaged at line 1');
  });

  it('is folded into one line when opened, and readable by its owner only', () => {
    const store = createStore(dir);
    for (const n of [1, 2, 3]) {
      store.table('things').put('a', { n });
      store.flush();
    }
    createStore(dir);
    expect(readFileSync(join(dir, 'state.jsonl'), 'utf8')).toBe('[["things","a",{"n":3}]]\n');
  });

  it('never gives an id twice, even if the last changes were lost', () => {
    const store = createStore(dir);
    const ids = createIds(store);
    store.flush();
    const given = Array.from({ length: 50 }, () => ids.next('pi_'));
    // No flush: as after a crash.
    const after = createIds(createStore(dir));
    expect(given).not.toContain(after.next('pi_'));
    expect(new Set(given).size).toBe(50);
  });
});
