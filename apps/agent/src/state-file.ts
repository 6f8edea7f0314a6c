import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { faultWord, type Log } from './log.ts';
import type { Seal } from './seal.ts';

/**
 * A JSON file that is whole at any moment, readable by root only. After `save` returns it survives a power cut.
 * @param seal what keeps it secret from who has the disk alone; without it the file is plain text
 */
export function stateFile<T>(path: string, schema: z.ZodType<T>, seal?: Seal) {
  return {
    /** The saved value; undefined when there is none, or it is not of this shape (written by another version) or seal. */
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

/**
 * Saves without ever failing: a disk that is full or read-only must not keep a host from refusing a deleted key. What could
 * not be saved is logged, and its caller saves again later.
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
    /** Whether the disk has an older value than the last. */
    unsaved: () => unsaved,
  };
}
