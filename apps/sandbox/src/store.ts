import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Values by id in the order of their first `put`. Values are immutable: `put` a new one. */
export type Table<T> = {
  get(id: string): T | undefined;
  put(id: string, value: T): T;
  delete(id: string): void;
  /** Oldest first. */
  all(): T[];
};

export type Store = {
  /** Returns the table of a name; calls with the same name share rows. */
  table<T>(name: string): Table<T>;
  /** Deletes every row. */
  clear(): void;
  /** Writes pending changes to disk. */
  flush(): void;
  /** Writes pending changes; later ones stay in memory. */
  close(): void;
};

type Change = [table: string, id: string, value: unknown];
const FLUSH_MS = 50;

/**
 * Tables in memory, mirrored to a journal (`state.jsonl` in `dataDir`, if given). Each line is a
 * JSON list of changes, applied whole or (cut off by a crash) not at all. Opening compacts the
 * journal into one line, written to a new file and renamed.
 */
export function createStore(dataDir?: string): Store {
  const file = dataDir ? join(dataDir, 'state.jsonl') : undefined;
  const rows = new Map<string, Map<string, unknown>>();
  const dirty = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const rowsOf = (name: string) => rows.get(name) ?? rows.set(name, new Map()).get(name)!;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!file || dirty.size === 0) return;
    const changes: Change[] = [];
    for (const [name, ids] of dirty)
      for (const id of ids) changes.push([name, id, rowsOf(name).get(id) ?? null]);
    dirty.clear();
    appendFileSync(file, `${JSON.stringify(changes)}\n`);
  };

  const touch = (name: string, id: string) => {
    if (!file || closed) return;
    (dirty.get(name) ?? dirty.set(name, new Set()).get(name)!).add(id);
    timer ??= setTimeout(flush, FLUSH_MS);
  };

  const rewrite = () => {
    if (!file) return;
    const changes: Change[] = [];
    for (const [name, table] of rows) for (const [id, value] of table) changes.push([name, id, value]);
    writeFileSync(`${file}.new`, `${JSON.stringify(changes)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };

  if (file && dataDir) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    for (const [name, id, value] of existsSync(file) ? readJournal(file) : []) {
      if (value === null) rowsOf(name).delete(id);
      else rowsOf(name).set(id, value);
    }
    rewrite();
  }

  return {
    table: <T>(name: string): Table<T> => ({
      get: id => rowsOf(name).get(id) as T | undefined,
      put: (id, value) => {
        rowsOf(name).set(id, value);
        touch(name, id);
        return value;
      },
      delete: id => {
        if (rowsOf(name).delete(id)) touch(name, id);
      },
      all: () => [...rowsOf(name).values()] as T[],
    }),
    clear: () => {
      for (const table of rows.values()) table.clear();
      dirty.clear();
      rewrite();
    },
    flush,
    close: () => {
      flush();
      closed = true;
    },
  };
}

/** Reads every complete line; drops a last line that a crash cut off. */
function readJournal(file: string): Change[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const cutOff = lines.pop();
  if (cutOff) lines.push(cutOff);
  return lines.flatMap((line, index) => {
    if (!line) return [];
    try {
      return JSON.parse(line) as Change[];
    } catch (error) {
      if (index === lines.length - 1) return [];
      throw new Error(`${file} is damaged at line ${index + 1}`, { cause: error });
    }
  });
}
