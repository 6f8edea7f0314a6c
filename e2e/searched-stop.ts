import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@fixpoint/dev-stack/stack.ts';
import {
  type Finding,
  refuseFindings,
  searchDatabase,
  searchLog,
  secretsOf,
} from '@fixpoint/testkit/leaks/search.ts';
import type { Secrets } from '@fixpoint/testkit/leaks/secrets.ts';

/**
 * Stops a stack, searches its database and the log of every process (API, PostgreSQL, agent of the demo region; S27, S82)
 * and removes its data folder. The sandbox's own data is not searched.
 * @param passwords those that browsers typed; those of a test client are known
 * @throws when something is found
 */
export async function stopAndSearch(stack: Stack, dataDir: string, passwords: string[] = []): Promise<void> {
  const secrets: Secrets = new Map();
  const found: Finding[] = [];
  try {
    for (const [secret, kind] of await secretsOf(stack.sandbox!.url)) secrets.set(secret, kind);
    for (const password of passwords) secrets.set(password, 'password');
    found.push(...(await searchDatabase(stack.databaseUrls.owner, secrets)));
  } finally {
    await stack.stop();
  }
  for (const [name, lines] of await logsIn(join(dataDir, 'logs'))) {
    found.push(...searchLog(name, lines, secrets));
  }
  await rm(dataDir, { recursive: true, force: true });
  refuseFindings(found);
}

/** The region's first line names addresses of its simulated internet, which belong to nobody. */
const isOfStandIn = (line: string) => line.startsWith('{"ready":true');

async function logsIn(folder: string): Promise<[name: string, lines: string[]][]> {
  const files = (await readdir(folder)).filter(file => !file.startsWith('sandbox.'));
  return Promise.all(
    files.map(async file => {
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
      return [file, lines.filter(line => !isOfStandIn(line))] as [string, string[]];
    }),
  );
}
