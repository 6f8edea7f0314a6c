import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchDisks, searchFolders } from './files.ts';
import type { SearchSink } from './search-sink.ts';

const ADDRESS = '198.51.100.117';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fixpoint-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function found(search = (sink: SearchSink) => searchFolders([folder], sink)): {
  where: string[];
  unread: string[];
} {
  const match = createMatcher(formsOf({ addresses: [ADDRESS, '192.0.2.37'], names: ['k7q2m9x4tz0b'] }));
  const where = new Set<string>();
  const unread: string[] = [];
  search({
    at: (_place, path, chunk) => match(chunk).size > 0 && where.add(path.slice(folder.length + 1)),
    found: () => undefined,
    unread: path => unread.push(path),
    counted: () => undefined,
  });
  return { where: [...where].sort(), unread };
}

test('S81 finds marks across chunks of a file, in compressed files, in folders and in names', () => {
  const line = `from ${ADDRESS}:40000\n`;
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  // The address starts in one chunk and ends in the next.
  const noise = Buffer.alloc(4 * 1024 * 1024 - 8, 'x');
  writeFileSync(join(folder, 'across'), Buffer.concat([noise, Buffer.from(line), randomBytes(100)]));
  writeFileSync(join(folder, 'deep/er/log'), line);
  writeFileSync(join(folder, 'log.1.gz'), gzipSync(line));
  writeFileSync(join(folder, 'log.2.zst'), zstdCompressSync(line));
  writeFileSync(join(folder, `session-${ADDRESS}`), '');
  writeFileSync(join(folder, 'clean'), 'nobody was here\n');
  writeFileSync(join(folder, 'broken.gz'), Buffer.from('1f8b08000000', 'hex'));
  expect(found()).toEqual({
    where: ['across', 'deep/er/log', 'log.1.gz', 'log.2.zst', `session-${ADDRESS}`],
    unread: [],
  });
});

test("S81 finds marks on all mounted file systems and swap partitions, and skips the kernel's virtual ones", () => {
  const line = `from ${ADDRESS}:40000\n`;
  const proc = join(folder, 'proc');
  for (const one of ['proc/self', 'a disk', 'memory', 'window'])
    mkdirSync(join(folder, one), { recursive: true });
  for (const file of ['a disk/log', 'memory/log', 'window/log', 'swap'])
    writeFileSync(join(folder, file), line);
  const mounts = [
    ['/dev/sda1', 'a\\040disk', 'ext4'],
    ['tmpfs', 'memory', 'tmpfs'],
    ['proc', 'window', 'proc'],
  ].map(([device, path, kind]) => `${device} ${folder}/${path} ${kind} rw 0 0\n`);
  writeFileSync(join(proc, 'self/mounts'), mounts.join(''));
  const swaps = `Filename\tType\tSize\tUsed\tPriority\n${folder}/swap\tpartition\t1048572\t0\t-2\n`;
  writeFileSync(join(proc, 'swaps'), swaps);
  const { where, unread } = found(sink => searchDisks(sink, proc));
  expect({ where, unread }).toEqual({ where: ['a disk/log', 'memory/log', 'swap'], unread: [] });
});
