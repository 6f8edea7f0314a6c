import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { faultWord, type Log } from './log.ts';
import type { Seal } from './seal.ts';

/**
 * JSON file, written atomically and readable by root only. It survives a power cut once `save`
 * returns.
 * @param seal encrypts it; without it the file is plain text
 */
export function stateFile<T>(path: string, schema: z.ZodType<T>, seal?: Seal) {
  return {
    /**
     * Returns the saved value; undefined when there is none, or when shape (another version) or
     * seal do not match.
     */
    load(): T | undefined {
      try {
        const bytes = readFileSync(path);
        return schema.safeParse(JSON.parse(seal ? seal.open(bytes) : bytes.toString())).data;
      } catch {
        return undefined;
      }
    },
    save(value: T): void {
      const draft = `${path}.draft`;
      const text = JSON.stringify(value);
      const file = openSync(draft, 'w', 0o600);
      try {
        writeFileSync(file, seal ? seal.close(text) : text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
      syncFolder(dirname(path));
    },
  };
}

/** A rename is durable only after its folder is synced. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export type StateFile<T> = ReturnType<typeof stateFile<T>>;

/**
 * Saves without throwing: a full or read-only disk must not stop a host from refusing a deleted
 * key. A failure is logged, and the caller saves again later.
 * @param name of the file in the log
 */
export function saver<T>(file: Pick<StateFile<T>, 'save'>, name: string, log: Log) {
  let unsaved = false;
  return {
    save(value: T): void {
      try {
        file.save(value);
        unsaved = false;
      } catch (error) {
        if (!unsaved) log('notSaved', { file: name, fault: faultWord(error) });
        unsaved = true;
      }
    },
    /** Whether the disk has an older value than the last one. */
    unsaved: () => unsaved,
  };
}
