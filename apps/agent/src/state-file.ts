import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/**
 * A JSON file that is whole at any moment, readable by root only. After `save` returns it survives a power cut.
 */
export function stateFile<T>(path: string, schema: z.ZodType<T>) {
  return {
    /** The saved value; undefined when there is none, or it is not of this shape (written by another version). */
    load(): T | undefined {
      try {
        return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
      } catch {
        return undefined;
      }
    },
    save(value: T): void {
      const draft = `${path}.draft`;
      const file = openSync(draft, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify(value));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
      syncFolder(dirname(path));
    },
  };
}

/** A rename is on the disk only when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export type StateFile<T> = ReturnType<typeof stateFile<T>>;
