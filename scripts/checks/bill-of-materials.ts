import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/*
 * Writes the SBOM (CycloneDX) to `.cache/sbom.cdx.json`, with the packages of every platform (S84). npm refuses a lock file
 * that lacks a package or contains a version outside the range of its dependants.
 */

const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--offline', '--no-update-notifier'];
const { status, stdout, error } = spawnSync('npm', ['sbom', ...options], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: Number.POSITIVE_INFINITY,
});
if (error) throw error;
if (status !== 0) process.exit(1);
await mkdir(join(root, '.cache'), { recursive: true });
await writeFile(join(root, '.cache/sbom.cdx.json'), stdout);
console.log('.cache/sbom.cdx.json');
