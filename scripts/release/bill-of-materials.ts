import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';

/** What the packages are built from. */
const workspaces = ['apps/api', 'apps/web', 'apps/agent'];

/**
 * SBOM (CycloneDX) of a release: the packages that the apps need at runtime, for every platform. It names neither a moment nor
 * a machine, so that the same commit gives the same bytes.
 */
export async function billOfMaterials(version: string): Promise<string> {
  const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', '--offline'];
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', ...options, ...workspaces.map(name => `--workspace=${name}`), '--no-update-notifier'],
    { cwd: root, env: basicEnv(), maxBuffer: Number.POSITIVE_INFINITY },
  );
  const { serialNumber: _, metadata: __, ...bill } = JSON.parse(stdout) as Record<string, unknown>;
  const component = { type: 'application', name: 'fixpoint', version, 'bom-ref': `fixpoint@${version}` };
  return `${JSON.stringify({ ...bill, metadata: { component } }, undefined, 2)}\n`;
}
