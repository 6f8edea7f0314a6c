import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { type BackupHeader, parseHeader } from './header.ts';
import { connectionOf, type Ended, lastLine, type Program, startProgram } from './programs.ts';

/** Most bytes of a header. */
const MOST_HEADER = 1_000_000;

type Opened = { header: BackupHeader; archive: Readable; ended: Promise<Ended>; kill(): void };

/** Decrypts a backup up to its archive. */
async function openBackup(file: string, identity: string): Promise<Opened> {
  for (const path of [file, identity])
    await access(path, 4 /* R_OK */).catch(() => {
      throw new OperatorFault(`${path} does not exist, or this user may not read it.`);
    });
  const { child, ended } = startProgram('age', ['--decrypt', '--identity', identity, file], {
    stdio: ['ignore', 'pipe'],
  });
  const archive = child.stdout!;
  const line = await firstLine(archive);
  if (line === undefined) {
    child.kill();
    throw refusalOf(file, await ended);
  }
  try {
    return { header: parseHeader(line, file), archive, ended, kill: () => void child.kill() };
  } catch (error) {
    child.kill();
    throw error;
  }
}

/** Takes the first line off a stream; undefined if it ends before. */
async function firstLine(from: Readable): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < MOST_HEADER) {
    const chunk = from.read() as Buffer | null;
    if (chunk === null) {
      if (from.readableEnded || from.destroyed) return undefined;
      await new Promise<void>(resolve => {
        for (const event of ['readable', 'end', 'close', 'error']) from.once(event, () => resolve());
      });
      continue;
    }
    const at = chunk.indexOf('\n');
    chunks.push(at < 0 ? chunk : chunk.subarray(0, at));
    length += chunk.length;
    if (at < 0) continue;
    const rest = chunk.subarray(at + 1);
    if (rest.length > 0) from.unshift(rest);
    return Buffer.concat(chunks).toString('utf8');
  }
  return undefined;
}

/** Why age does not decrypt a file. */
function refusalOf(file: string, ended: Ended): OperatorFault {
  const { says } = ended;
  if (/no identity matched/i.test(says))
    return new OperatorFault(
      `The key cannot decrypt ${file}: it was encrypted to other keys. Nothing was changed.`,
    );
  if (/identity|private key|passphrase/i.test(says) && !/payload|header/i.test(says))
    return new OperatorFault(
      `The file with the private key cannot be used (${lastLine(ended)}). Nothing was changed.`,
    );
  return new OperatorFault(
    `${file} is damaged, incomplete or no backup (${lastLine(ended) || 'it ends too early'}). Take another copy of it, or another backup. Nothing was changed.`,
  );
}

const MAGIC = 'PGDMP';

/**
 * Decrypts a whole backup and throws the archive away: every part of it is authentic afterwards.
 * @throws OperatorFault for a wrong key, a damaged file or another file
 */
export async function checkBackup(file: string, identity: string): Promise<BackupHeader> {
  const { header, archive, ended } = await openBackup(file, identity);
  let begins = '';
  try {
    for await (const chunk of archive as AsyncIterable<Buffer>)
      if (begins.length < MAGIC.length) begins += chunk.toString('latin1', 0, MAGIC.length);
  } catch {
    // The end of age says why.
  }
  const result = await ended;
  if (result.code !== 0) throw refusalOf(file, result);
  if (!begins.startsWith(MAGIC)) throw new OperatorFault(`${file} contains no dump of a database.`);
  return header;
}

/**
 * Restores the archive of a backup into a database, in one transaction.
 * @param url of the owner of the tables
 */
export async function restoreArchive(
  { file, identity }: { file: string; identity: string },
  pgRestore: Program,
  url: string,
): Promise<void> {
  const { args, env } = connectionOf(url);
  const { archive, ended, kill } = await openBackup(file, identity);
  const restoring = startProgram(
    pgRestore.path,
    ['--single-transaction', '--exit-on-error', '--no-owner', '--no-password', ...args],
    { stdio: ['pipe', 'ignore'], env },
  );
  // Its end tells what went wrong.
  await pipeline(archive, restoring.child.stdin!).catch(() => kill());
  const [decrypted, restored] = await Promise.all([ended, restoring.ended]);
  if (restored.code !== 0) throw new OperatorFault(`pg_restore failed: ${restored.says.slice(-500)}`);
  if (decrypted.code !== 0) throw refusalOf(file, decrypted);
}
