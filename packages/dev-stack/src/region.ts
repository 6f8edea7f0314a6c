import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingPrograms } from './debian.ts';

/** Program of the demo region: a VPN host on this machine, in network namespaces with a small internet. */
export const regionProgram = 'apps/sandbox/src/internet/main.ts';
const apiCli = 'apps/api/src/cli.ts';

/** Programs that the demo region runs → their Debian packages. */
export const regionPackages: Record<string, string> = {
  openvpn: 'openvpn',
  ip: 'iproute2',
  nft: 'nftables',
  conntrack: 'conntrack',
};

/**
 * Reason why the demo region cannot run on this machine, with the remedy; undefined when it can.
 * @param asRoot command to run as root
 */
export function regionObstacle(
  root: string,
  asRoot = 'sudo env DATA_DIR=data-root npm start, since files of root are closed to you',
): string | undefined {
  if (!existsSync(join(root, regionProgram))) return 'this checkout has no demo region';
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return `it needs root (network namespaces); run: ${asRoot}`;
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
  } catch {
    return 'there is no /dev/net/tun; load the module `tun`, or give the container --device /dev/net/tun';
  }
  const missing = missingPrograms(Object.keys(regionPackages));
  if (missing.length > 0)
    return `${missing.join(', ')} not found; run: apt-get install ${Object.values(regionPackages).join(' ')}`;
  return undefined;
}

/**
 * Runs `shop ready` in the background and shows what a shop with real gateways lacks before its first sale.
 * @param signal cancels it silently
 */
export function showMissing(
  root: string,
  env: Record<string, string>,
  show: (line: string) => void,
  signal: AbortSignal,
): void {
  execFile(process.execPath, [join(root, apiCli), 'ready'], { cwd: root, env, signal }, (error, stdout) => {
    if (error && !signal.aborted)
      for (const line of stdout.split('\n').filter(Boolean)) show(`Missing: ${line}`);
  });
}

/**
 * One-time token for the host of the demo region. Adds the host at the first start; later replaces its machine, which may
 * have lost its state.
 */
export async function enrolmentToken(root: string, env: Record<string, string>): Promise<string> {
  const host = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, apiCli), 'host', ...args], { cwd: root, env });
  const offer = ['--provider', 'demo', '--region', 'th-bkk', '--vendor', 'fixpoint'];
  const { stdout } = await host(
    'add',
    '--host',
    'demo',
    ...offer,
    '--pool',
    '203.0.113.0/24+2001:db8:7::/56',
  ).catch((error: { stderr?: string }) => {
    if (!error.stderr?.startsWith('demo exists already')) throw error;
    return host('replace', '--host', 'demo', '--off', '--yes');
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}
