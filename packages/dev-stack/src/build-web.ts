import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basicEnv, root } from './env.ts';

const web = join(root, 'apps/web');
const dist = join(web, 'dist');
const viteProgram = join(root, 'node_modules/vite/bin/vite.js');
const hashFile = '.inputs';
const inputs = [
  'apps/web',
  ...['contract', 'texts', 'ui', 'web-client'].map(name => `packages/${name}`),
  ...['package.json', 'package-lock.json'],
];
const ignored = ['node_modules', 'dist', '.cache'];

/**
 * Builds the web client into `apps/web/dist`, unless the inputs are unchanged. The old build stays until the new one is
 * complete.
 *
 * @returns 'absent' when this checkout has no web client
 * @throws Error with the output of the build
 */
export async function buildWeb(show: (line: string) => void): Promise<'built' | 'unchanged' | 'absent'> {
  if (!existsSync(join(web, 'index.html'))) return 'absent';
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs) await addTo(hash, join(root, input));
  const digest = hash.digest('hex');
  if ((await readFile(join(dist, hashFile), 'utf8').catch(() => '')) === digest) return 'unchanged';

  show('Building the web client …');
  const fresh = join(web, '.cache', `dist-${process.pid}`);
  await rm(fresh, { recursive: true, force: true });
  await vite('build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn');
  await writeFile(join(fresh, hashFile), digest);
  await mkdir(dist, { recursive: true });
  await rm(dist, { recursive: true });
  await rename(fresh, dist);
  return 'built';
}

async function addTo(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) {
    hash.update(await readFile(path));
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (ignored.includes(entry.name)) continue;
    hash.update(`${entry.name}\0`);
    await addTo(hash, join(path, entry.name));
  }
}

async function vite(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [viteProgram, ...args], {
    cwd: web,
    env: { ...basicEnv(), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`The web client does not build:\n${output.trim()}`);
}
