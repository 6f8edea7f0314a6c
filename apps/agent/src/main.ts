import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import manifest from '../package.json' with { type: 'json' };
import { createNat } from './adapters/nat/nat.ts';
import { createNetdev, defaultRouteDevice } from './adapters/netdev/netdev.ts';
import { createOpenvpn } from './adapters/openvpn/daemon.ts';
import { clearProbes, createProber } from './adapters/probe/prober.ts';
import { createRelay } from './adapters/relay/relay.ts';
import { run } from './adapters/run.ts';
import { createShaper } from './adapters/shaper/shaper.ts';
import { watchCard, watchFirewall, watchKernel } from './adapters/watch.ts';
import { createWatchdog } from './adapters/watchdog.ts';
import { createTime, thisMachine } from './clock.ts';
import { createDeliveryCheck } from './delivery-check.ts';
import { readEnv, type Settings } from './env.ts';
import { createHost, type Host } from './host.ts';
import { type Identity, identify, identityFile as identityShape } from './identity.ts';
import { faultWord, stdoutLog as log } from './log.ts';
import { createLoop, pauseMs } from './loop.ts';
import { savedSet } from './saved-set.ts';
import { createSeal, type Seal } from './seal.ts';
import { createShop, isRefusal } from './shop.ts';
import { stateFile } from './state-file.ts';
import { usageFile } from './usage.ts';
import { usageFiles } from './usage-files.ts';

/** Set by the build of the package, `scripts/agent-package.ts`. */
declare const AGENT_VERSION: string | undefined;
const agentVersion = typeof AGENT_VERSION === 'undefined' ? `${manifest.version}+checkout` : AGENT_VERSION;

const time = createTime(thisMachine());

/** Creates a folder with these permissions, whatever the umask. */
function folder(path: string, mode: number): void {
  mkdirSync(path, { recursive: true, mode });
  // A full or read-only disk rejects even a no-op chmod, and the host still has deleted keys to
  // refuse.
  if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
}

async function openvpnVersion(): Promise<string> {
  const { stdout } = await run('openvpn', ['--version']);
  return stdout.match(/^OpenVPN (\S+)/)?.[1] ?? 'unknown';
}

/** Path of a program next to this one, in the checkout or in the package. */
const program = (inCheckout: string, packed: string): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? inCheckout : packed, import.meta.url));

const usageIn = (folder: string) => stateFile(join(folder, 'usage.json'), usageFile);

/**
 * Builds the host from its adapters. `changed` is called when a tunnel comes up or goes down by
 * itself.
 */
async function compose(
  settings: Settings & { wan: string },
  stopping: AbortSignal,
  alive: () => void,
  changed: () => void,
): Promise<Host> {
  const { runDir, stateDir, addresses, firstUid, smtp, wan } = settings;
  const shaper = createShaper(wan, log);
  await clearProbes();
  return createHost({
    netdev: createNetdev({ wan, addresses, firstUid }, log),
    shaper,
    nat: createNat({ wan, smtp }, log),
    daemon: createOpenvpn({ runDir, firstUid, log, stopping, onChange: changed }),
    relay: createRelay({ runDir, firstUid, program: program('relay/main.ts', 'relay.mjs'), log }),
    deliveryCheck: createDeliveryCheck(
      createProber({ wan, firstUid, program: program('probe/inside.ts', 'probe.mjs'), shaper, log }),
      log,
      changed,
    ),
    usageFiles: usageFiles({ running: usageIn(runDir), disk: usageIn(stateDir) }, time.now, log),
    newEpoch: () => randomBytes(8).toString('hex'),
    clock: time.now,
    log,
    alive,
  });
}

/**
 * Loads the identity, or enrols and retries until the shop is reachable. @throws Error when the
 * shop refuses the token or there is none
 */
async function enrolOrLoad(
  settings: Settings,
  file: ReturnType<typeof identities>,
  alive: () => void,
): Promise<Identity> {
  for (let failures = 1; ; failures++) {
    try {
      return await identify(file, settings.shop, settings.token, time.now(), log);
    } catch (error) {
      if (isRefusal(error) || !settings.token) throw error;
      log('enrolFailed', { fault: faultWord(error) });
      alive();
      await sleep(pauseMs(failures));
    }
  }
}

const identities = (stateDir: string, seal: Seal | undefined) =>
  stateFile(join(stateDir, 'identity.json'), identityShape, seal);

/**
 * Exits when the network card has changed; systemd restarts the agent for the new one. Tunnels
 * continue meanwhile.
 */
function restart(from: string, to: string): void {
  log('cardChanged', { from, to });
  process.kill(process.pid, 'SIGTERM');
}

async function main(): Promise<void> {
  const stopping = new AbortController();
  let finished: Promise<unknown> = Promise.resolve();
  // Tunnels outlive the agent, so an update is no outage.
  exitWithParent(async () => {
    stopping.abort();
    await finished;
  });
  process.umask(0o022);
  const settings = readEnv();
  const alive = createWatchdog(settings.watchdog);
  folder(settings.stateDir, 0o700);
  folder(settings.runDir, 0o711);
  // Certificates and all servers' keys are encrypted. Usage counts are useless to a thief.
  const seal = settings.stateKey && createSeal(settings.stateKey);
  const identityFile = identities(settings.stateDir, seal);
  const identity = await enrolOrLoad(settings, identityFile, alive);
  let reportSoon = () => {};
  const wan = settings.wan ?? defaultRouteDevice();
  if (!wan) throw new Error('the host has no default route. Set AGENT_INTERFACE to its network card');
  const host = await compose({ ...settings, wan }, stopping.signal, alive, () => reportSoon());
  const loop = createLoop({
    host,
    identity,
    identityFile,
    setFile: stateFile(join(settings.stateDir, 'desired.json'), savedSet, seal),
    runningSetFile: stateFile(join(settings.runDir, 'desired.json'), savedSet, seal),
    connect: ({ ca, certificate, key }) => createShop(settings.shop, { ca, certificate, key }),
    versions: { agentVersion, openvpnVersion: await openvpnVersion() },
    time,
    log,
    signal: stopping.signal,
  });
  reportSoon = loop.reportSoon;
  log('started', { host: identity.hostId });
  finished = Promise.all([
    loop.run().then(host.end),
    watchFirewall(loop.reconcileSoon, stopping.signal),
    watchKernel(loop.reconcileAfterChange, stopping.signal),
    settings.wan || watchCard(wan, to => restart(wan, to), stopping.signal),
  ]);
}

main().catch((error: Error) => {
  // Our own messages only: invalid settings, a refused token, a missing tool.
  log('cannotStart', { reason: error.message.slice(0, 500) });
  process.exit(1);
});
