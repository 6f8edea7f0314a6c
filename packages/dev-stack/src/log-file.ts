import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const maxSize = 5_000_000; // bytes
const rotatedFiles = 3; // beside the current one

/** A rotated log: `name.log`, then `name.1.log` to `name.3.log`, the oldest. */
export interface LogFile {
  path: string;
  write(line: string): void;
  close(): void;
}

/** Opens `folder/name.log` for appending. Only its owner may read it. */
export function openLog(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  let file: number | undefined = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;

  function rotate(): number {
    closeSync(file!);
    for (let age = rotatedFiles; age > 0; age--) {
      const from = age === 1 ? path : join(folder, `${name}.${age - 1}.log`);
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, join(folder, `${name}.${age}.log`));
    }
    size = 0;
    return openSync(path, 'a', 0o600);
  }

  return {
    path,
    write(line) {
      if (file === undefined) return; // a stopped process may still print
      try {
        if (size > maxSize) file = rotate();
        size += writeSync(file, `${line}\n`);
      } catch {
        // A full disk must not stop the process whose output is logged.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
