import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { NAMESPACE } from '@fixpoint/api/cli/upgrade/release.ts';
import { StartError } from '@fixpoint/dev-stack/child.ts';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { packageAgent } from './agent-package.ts';
import { billOfMaterials } from './release/bill-of-materials.ts';
import { packageImage } from './release/image.ts';
import { packageServer } from './release/server-package.ts';

const run = promisify(execFile);

const USAGE = `Usage: npm run release -- --key FILE [--arch amd64|arm64] [--image] [--folder FOLDER] [--dirty]
Builds the packages of this commit, with checksums, signature and SBOM.
  --key     private key that signs (ssh-keygen -t ed25519). The packages accept later versions that it has signed.
  --arch    one processor; by default both
  --image   also the OCI image of each, with compose.yaml (Debian's mmdebstrap, as root)
  --folder  for the files; dist by default
  --dirty   allow changes that are not committed, to try something out`;

/** Builds a release. The same commit and the same key (ed25519) give the same bytes. */
async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      key: { type: 'string' },
      arch: { type: 'string' },
      image: { type: 'boolean' },
      folder: { type: 'string', default: join(root, 'dist') },
      dirty: { type: 'boolean' },
    },
  });
  const { key, folder, arch } = values;
  if (!key) throw new StartError(USAGE);
  if (!values.dirty && (await git('status', '--porcelain')))
    throw new StartError('A release is built from a commit. Commit your changes, or try them with --dirty.');
  const epoch = Number(await git('log', '-1', '--format=%ct'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const { stdout: publicKey } = await run('ssh-keygen', ['-y', '-f', key]);
  const [kind, encoded] = publicKey.split(/\s/);
  const signers = `release namespaces="${NAMESPACE}" ${kind} ${encoded}\n`;

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const each of arch ? [arch] : ['amd64', 'arm64']) {
    const server = await packageServer(folder, each, { version, epoch, signers });
    files.push(server, await packageAgent(folder, each));
    if (values.image) files.push(await packageImage(folder, server, each, { version, epoch }));
  }
  if (values.image)
    for (const name of ['compose.yaml', 'Caddyfile']) {
      await copyFile(join(root, 'ops/container', name), join(folder, name));
      files.push(join(folder, name));
    }
  const bill = join(folder, `fixpoint_${version}.cdx.json`);
  await writeFile(bill, await billOfMaterials(version));
  const sums = join(folder, 'SHA256SUMS');
  await writeFile(sums, (await Promise.all([...files, bill].map(sumOf))).join(''));
  await run('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', NAMESPACE, sums]);
  for (const file of [...files, bill, sums, `${sums}.sig`]) console.log(file);
}

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root, env: basicEnv() })).stdout.trim();

const sumOf = async (file: string): Promise<string> =>
  `${createHash('sha256')
    .update(await readFile(file))
    .digest('hex')}  ${basename(file)}\n`;

try {
  await release();
} catch (error) {
  console.error(operatorMessage(error) ?? (error as Error).message);
  process.exit(1);
}
