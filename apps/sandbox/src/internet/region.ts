import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  ADDRESSES,
  buildHost,
  buildInternet,
  ID_RULE,
  ifIpv6,
  namespaceOf,
  removeNamespace,
  removeRegion,
  spawnIn,
} from './namespaces.ts';
import { CHILD_ENV, ended, run } from './run.ts';

export type Region = {
  id: string;
  /** URL of the internet's server that returns the caller's address. */
  internet: string;
  /** Static addresses that are routed to the VPN host. */
  pool: string;
  /** Folders of the agent's state and of its running processes. */
  stateDir: string;
  runDir: string;
  /** Namespace of the VPN host. */
  hostNamespace: string;
  /** Kills the agent like a crash, or starts it again. Tunnels continue meanwhile. */
  killAgent(): Promise<void>;
  startAgent(): void;
  /** Pauses or resumes the agent. */
  signalAgent(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Reboots the VPN host: its kernel state is gone, and the agent starts from its saved state. */
  reboot(): Promise<void>;
  stop(): Promise<void>;
};

const PACKAGES: Record<string, string> = {
  openvpn: 'openvpn',
  ip: 'iproute2',
  tc: 'iproute2',
  nft: 'nftables',
  conntrack: 'conntrack',
  setpriv: 'util-linux',
  prlimit: 'util-linux',
};

const installed = (program: string): boolean =>
  CHILD_ENV.PATH.split(':').some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Returns why a region cannot run on this machine; undefined when it can. */
export async function whyNot(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'needs root';
  const missing = Object.keys(PACKAGES).filter(program => !installed(program));
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(program => PACKAGES[program]))].join(' ');
    return `needs ${missing.join(', ')} (apt-get install ${packages})`;
  }
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
  } catch {
    return 'needs /dev/net/tun';
  }
  const trial = `fp-trial-${process.pid}`;
  const { code } = await run('ip', ['netns', 'add', trial]);
  if (code !== 0) return 'needs the right to make network namespaces (CAP_SYS_ADMIN)';
  await run('ip', ['netns', 'del', trial]);
  return undefined;
}

const agentFile = fileURLToPath(new URL('../../../agent/src/main.ts', import.meta.url));
const echoFile = fileURLToPath(new URL('./echo.ts', import.meta.url));

type Options = {
  /** Letters and digits, 6 at most; regions with other ids can run concurrently. */
  id: string;
  /** Folder that outlives the region. */
  dataDir: string;
  /** Unix socket of the shop's listener for VPN hosts. */
  agentSocket: string;
  /** Needed once, until the agent has its certificate. */
  agentToken?: string;
  /** Other settings of the agent. */
  agentEnv?: Record<string, string>;
  /** Receives the agent's output lines. */
  onAgentLine?: (line: string) => void;
};

/**
 * Builds a small internet in network namespaces: customers → router → a server, and a VPN host with
 * the real agent. Leftovers of an earlier run with the same id are removed first.
 */
export async function startRegion({
  id,
  dataDir,
  agentSocket,
  agentToken,
  agentEnv,
  onAgentLine,
}: Options): Promise<Region> {
  if (!ID_RULE.test(id)) throw new Error('a region id is 1 to 6 lower-case letters and digits');
  const stateDir = join(dataDir, 'agent');
  const runDir = `/run/fixpoint-demo-${id}`;
  const hostNamespace = namespaceOf(id, 'vpn');
  let agent: ChildProcess | undefined;
  let agentWanted = false;

  function startAgent(): void {
    agentWanted = true;
    const child = spawnIn(hostNamespace, [process.execPath, agentFile], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        AGENT_SHOP: `unix:${agentSocket}`,
        AGENT_TOKEN: agentToken ?? '',
        AGENT_STATE_DIR: stateDir,
        AGENT_RUN_DIR: runDir,
        ...agentEnv,
      },
    });
    agent = child;
    for (const input of [child.stdout!, child.stderr!]) {
      createInterface({ input }).on('line', line => onAgentLine?.(line));
    }
    const begun = performance.now();
    child.once('exit', async () => {
      // Avoids a tight loop when the agent cannot start (a used token, say).
      await sleep(performance.now() - begun > 5000 ? 500 : 5000, undefined, { ref: false });
      if (agentWanted && agent === child) startAgent();
    });
  }

  async function killAgent(): Promise<void> {
    agentWanted = false;
    agent?.kill('SIGKILL');
    if (agent) await ended(agent);
  }

  async function stop(): Promise<void> {
    agentWanted = false;
    await removeRegion(id);
    await rm(runDir, { recursive: true, force: true });
  }

  async function startInternet(): Promise<void> {
    await buildInternet(id);
    await buildHost(id);
    const command = [process.execPath, echoFile, ADDRESSES.internet, ...ifIpv6(ADDRESSES.internet6)];
    const echo = spawnIn(namespaceOf(id, 'www'), command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise((resolve, reject) => {
      echo.once('message', resolve);
      echo.once('exit', () => reject(new Error('the server of the demo internet did not start')));
    });
  }

  await stop();
  try {
    await startInternet();
  } catch (error) {
    await stop();
    throw error;
  }
  startAgent();

  return {
    id,
    internet: `http://${ADDRESSES.internet}/`,
    pool: ADDRESSES.pool,
    stateDir,
    runDir,
    hostNamespace,
    killAgent,
    startAgent,
    signalAgent: signal => void agent?.kill(signal),
    async reboot() {
      await killAgent();
      await removeNamespace(hostNamespace);
      await rm(runDir, { recursive: true, force: true });
      await buildHost(id);
      startAgent();
    },
    stop,
  };
}
