import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

const largest = 5_000_000; // bytes
const kept = 3; // files beside the current one

/** A log that never fills the disk: `name.log`, then `name.1.log` (older) to `name.3.log`. */
export interface LogFile {
  path: string;
  write(line: string): void;
  close(): Promise<void>;
}

/** Opens `folder/name.log` for appending. Readable by its owner alone. */
export function openLog(folder: string, name: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.log`);
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let stream = append(path);

  function rotate(): void {
    stream.end();
    for (let age = kept; age > 0; age--) {
      const from = age === 1 ? path : join(folder, `${name}.${age - 1}.log`);
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, join(folder, `${name}.${age}.log`));
    }
    stream = append(path);
    size = 0;
  }

  return {
    path,
    write(line) {
      if (size > largest) rotate();
      size += Buffer.byteLength(line) + 1;
      stream.write(`${line}\n`);
    },
    close: () => new Promise(resolve => stream.end(() => resolve())),
  };
}

function append(path: string): WriteStream {
  // A full disk must not end what is being logged.
  return createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => {});
}
