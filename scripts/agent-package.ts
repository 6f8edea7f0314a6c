import { join } from 'node:path';
import { tunnelSettings } from '@fixpoint/agent/adapters/netdev/guard.ts';
import { TUNNEL_PREFIX } from '@fixpoint/agent/layout.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { build } from 'rolldown';
import { agentVersion } from './agent-version.ts';
import { buildDebianPackage, processorOf } from './debian-tree.ts';
import { withNode } from './node-package.ts';

const from = join(root, 'apps/agent/debian');
const program = '/usr/lib/fixpoint-agent';
const settings = '/etc/fixpoint-agent.env';
const units = [
  ...['fixpoint-agent.service', 'fixpoint-agent-key.service'],
  ...['fixpoint-agent-probe.socket', 'fixpoint-agent-probe@.service'],
];
/** Versions of Debian 12. Other programs that the agent starts are part of every Debian. */
const depends =
  'openvpn (>= 2.6), iproute2, nftables, conntrack, systemd (>= 252), libc6 (>= 2.28), libstdc++6 (>= 12)';
/** Without them systemd does not find a TPM and seals with a key on the same disk. */
const recommends = 'libtss2-esys-3.0.2-0, libtss2-rc0';

/**
 * On Debian 13 systemd applies `50-default.conf` to every new device, after the agent has set a tunnel's sysctls: drift. This
 * file is read later. `-` ignores devices that do not exist.
 */
const sysctl = Object.entries(tunnelSettings(`${TUNNEL_PREFIX}*`))
  .map(([name, value]) => `-${name} = ${value}\n`)
  .join('');

/** Bundles a program with its libraries into one file for Node. */
const bundle = (program: string, file: string, version: string) =>
  build({
    input: join(root, 'apps/agent/src', program),
    platform: 'node',
    logLevel: 'warn',
    transform: { define: { AGENT_VERSION: JSON.stringify(version) } },
    output: { file, format: 'esm' },
  });

/**
 * Builds the Debian package of the agent, including its Node. The same checkout gives the same bytes.
 * @param arch architecture of the hosts, as Node or Debian names it
 * @returns path of the package
 * @throws StartError for an architecture without a package
 * @throws Error with the output of dpkg-deb
 */
export async function packageAgent(folder: string, arch: string = process.arch): Promise<string> {
  const { cpu, architecture } = processorOf(arch);
  return withNode(cpu, folder, node => packageWith(node, folder, architecture));
}

async function packageWith(node: string, folder: string, architecture: string): Promise<string> {
  const version = await agentVersion();
  const fields = {
    Package: 'fixpoint-agent',
    Version: version,
    Architecture: architecture,
    Maintainer: 'Fixpoint',
    Section: 'net',
    Priority: 'optional',
    Depends: depends,
    Recommends: recommends,
    Description:
      'Agent of a Fixpoint VPN host\n Runs the tunnels of the subscriptions that the shop has placed on this host.',
  };
  return buildDebianPackage(folder, fields, 0, async ({ put, write, path }) => {
    await put(join(node, 'bin/node'), `${program}/node`, 0o755);
    await put(join(node, 'LICENSE'), '/usr/share/doc/fixpoint-agent/LICENSE.node');
    for (const unit of units) await put(join(from, unit), `/usr/lib/systemd/system/${unit}`);
    await put(
      join(from, 'systemd-networkd.conf'),
      '/usr/lib/systemd/system/systemd-networkd.service.d/60-fixpoint-agent.conf',
    );
    await put(join(from, 'fixpoint-agent.env'), settings, 0o600);
    await write(
      `# Tunnels of the Fixpoint VPN host agent, which sets them itself: this overrides 50-default.conf.\n${sysctl}`,
      '/usr/lib/sysctl.d/60-fixpoint-agent.conf',
    );
    await bundle('main.ts', path(`${program}/agent.mjs`), version);
    await bundle('relay/main.ts', path(`${program}/relay.mjs`), version);
    await bundle('probe/inside.ts', path(`${program}/probe.mjs`), version);
    await bundle('no-logs/main.ts', path(`${program}/search.mjs`), version);
    for (const script of ['postinst', 'prerm', 'postrm'])
      await put(join(from, script), `/DEBIAN/${script}`, 0o755);
    await write(`${settings}\n`, '/DEBIAN/conffiles');
  });
}
