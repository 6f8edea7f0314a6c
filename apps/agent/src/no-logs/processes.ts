import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { OVERLAP } from '@fixpoint/domain/no-logs/matcher.ts';
import { searchFile } from './files.ts';
import type { SearchSink } from './search-sink.ts';

const CHUNK = 4 * 1024 * 1024;
const PAGE = 4096;

/** All processes except this one and its ancestors, which have handled the marks. */
export function allProcesses(): number[] {
  const own = new Set<number>();
  for (let pid = process.pid; pid > 1; pid = parentOf(pid)) own.add(pid);
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => !own.has(pid));
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

/** Searches a process's memory, its arguments, and the deleted files that it holds open. */
export function searchProcess(pid: number, sink: SearchSink): void {
  try {
    const name = `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (${pid})`;
    for (const file of ['cmdline', 'environ'])
      sink.at('memory', `${file} of ${name}`, readFileSync(`/proc/${pid}/${file}`));
    for (const open of readdirSync(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${open}`;
      if (/^\/.* \(deleted\)$/.test(linkOf(path))) searchFile(path, sink, `deleted file of ${name}`);
    }
    const bytes = searchMemory(pid, chunk => sink.at('memory', name, chunk));
    sink.counted('process', bytes);
  } catch (error) {
    // The process has ended, and its memory with it.
    if (!['ENOENT', 'ESRCH'].includes((error as { code: string }).code)) sink.unread(`memory of ${pid}`);
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Searches writable memory; the rest is the program's file on disk. @returns bytes read */
function searchMemory(pid: number, at: (chunk: Buffer) => void): number {
  const ranges = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, from, to, rights = '', inode] =
        /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+)/.exec(line) ?? [];
      if (!from || rights[0] !== 'r' || (rights[1] !== 'w' && inode !== '0')) return [];
      return line.endsWith('[vvar]') || line.endsWith('[vsyscall]') || line.endsWith('[vvar_vclock]')
        ? []
        : [[Number.parseInt(from, 16), Number.parseInt(to!, 16)] as const];
    });
  if (ranges.length === 0) return 0;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  let bytes = 0;
  try {
    for (const [from, to] of ranges) bytes += searchRange(memory, from, to, at);
  } finally {
    closeSync(memory);
  }
  return bytes;
}

function searchRange(memory: number, from: number, to: number, at: (chunk: Buffer) => void): number {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, to - from) + OVERLAP);
  let kept = 0;
  let bytes = 0;
  for (let next = from; next < to; ) {
    const read = readOrSkip(memory, chunk, kept, Math.min(chunk.length - OVERLAP, to - next), next);
    if (read === 0) {
      // A page of a device, or one that was just released.
      next += PAGE;
      kept = 0;
      continue;
    }
    const whole = chunk.subarray(0, kept + read);
    at(whole);
    kept = Math.min(OVERLAP, whole.length);
    chunk.copyWithin(0, whole.length - kept, whole.length);
    next += read;
    bytes += read;
  }
  return bytes;
}

function readOrSkip(memory: number, into: Buffer, offset: number, length: number, position: number): number {
  try {
    return readSync(memory, into, offset, length, position);
  } catch (error) {
    if (['EIO', 'EFAULT'].includes((error as { code: string }).code)) return 0;
    throw error;
  }
}
