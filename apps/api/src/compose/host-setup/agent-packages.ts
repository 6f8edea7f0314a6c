import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareAgents } from '@fixpoint/domain/host/agent-version.ts';
import { VERSION } from '../../database/nodes.ts';

/** A package of the agent that hosts can install. */
export type AgentPackage = {
  architecture: string;
  version: string;
  name: string;
  path: string;
  sha256: string;
};

/** Packages in a folder by their names. */
async function packagesIn(folder: string) {
  const files = await readdir(folder).catch(() => []);
  return files.flatMap(name => {
    const [, version, architecture] = /^fixpoint-agent_([\w.+~-]+)_(amd64|arm64)\.deb$/.exec(name) ?? [];
    return version && architecture ? [{ name, version, architecture }] : [];
  });
}

const isNewer = (one: string, other: string): boolean => (compareAgents(one, other) ?? 0) > 0;

/**
 * Version of the newest agent that the operator can install: of the packages in a folder, or of this release while none is
 * built.
 */
export async function newestAgent(folder: string): Promise<string> {
  const packages = await packagesIn(folder);
  return packages.reduce((newest, { version }) => (isNewer(version, newest) ? version : newest), VERSION);
}

/** The newest package in a folder for each architecture, in the order of their names. */
export async function agentPackages(folder: string): Promise<AgentPackage[]> {
  const newest = new Map<string, Awaited<ReturnType<typeof packagesIn>>[number]>();
  for (const each of (await packagesIn(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const known = newest.get(each.architecture);
    if (!known || isNewer(each.version, known.version)) newest.set(each.architecture, each);
  }
  return Promise.all(
    [...newest.values()].map(async each => {
      const path = join(folder, each.name);
      return { ...each, path, sha256: await sha256Of(path) };
    }),
  );
}

/** Hashes of files by path, size and time of change: a package has fifty megabytes. */
const hashes = new Map<string, Promise<string>>();

async function sha256Of(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const key = `${path} ${size} ${mtimeMs}`;
  const known = hashes.get(key) ?? hashOf(path);
  hashes.set(key, known);
  return known;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}
