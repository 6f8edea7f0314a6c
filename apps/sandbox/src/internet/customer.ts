import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildCustomer, removeNamespace, spawnIn } from './namespaces.ts';
import type { Question } from './probe.ts';
import { must } from './run.ts';

export type Customer = {
  /** The customer's own address on the internet, outside the tunnel. */
  address: string;
  /** The router's device towards the customer: whatever passes there is visible to the internet. */
  device: string;
  /**
   * Address that a server on the internet sees. @throws Error when it cannot be reached by that
   * family
   */
  seenAddress(family?: 4 | 6): Promise<string>;
  /** Round trip of an echo through the tunnel in ms; undefined on timeout. */
  ping(timeoutMs?: number): Promise<number | undefined>;
  /** Whether packets currently pass through the tunnel. */
  alive(): Promise<boolean>;
  /** Throughput of one stream of that many bytes, in Mbit/s. */
  download(bytes: number, family?: 4 | 6): Promise<number>;
  upload(bytes: number): Promise<number>;
  /**
   * Starts to send an echo through the tunnel every 5 ms; {@link lastEcho} is the time (epoch, ms)
   * of the last answer.
   */
  watch(): Promise<void>;
  lastEcho(): Promise<number>;
  /** Whether a TCP address and port accepts connections. */
  answers(address: string, port: number): Promise<boolean>;
  /** Opens that many connections through the tunnel at once. */
  openFlows(flows: number): Promise<void>;
  /** Runs a command in the customer's namespace. @returns its output @throws Error when it fails */
  exec(command: readonly string[]): Promise<string>;
  /** Output of openvpn so far. */
  output(): string;
  /** Whether the openvpn process still runs. */
  running(): boolean;
  stop(): Promise<void>;
};

const CONNECTED = 'Initialization Sequence Completed';
const probeFile = fileURLToPath(new URL('./probe.ts', import.meta.url));

/** Starts a probe in a namespace. @returns its question function, and when it is ready */
export function startProbe(namespace: string) {
  const probe = spawnIn(namespace, [process.execPath, probeFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return { ask: questions(probe), ready: new Promise(resolve => probe.once('message', resolve)) };
}

function questions(probe: ChildProcess) {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let n = 0;
  probe.on('message', (message: { n: number; value?: unknown; fault?: string }) => {
    const waiting = open.get(message.n);
    open.delete(message.n);
    if (message.fault !== undefined) waiting?.reject(new Error(message.fault));
    else waiting?.resolve(message.value);
  });
  probe.once('exit', () => {
    for (const waiting of open.values()) waiting.reject(new Error('the probe has ended'));
  });
  return <T>(question: Question): Promise<T> =>
    new Promise((resolve, reject) => {
      n += 1;
      open.set(n, { resolve: resolve as (value: unknown) => void, reject });
      probe.send({ n, question });
    });
}

/** Starts openvpn with a profile, passed through a pipe because it contains a private key. */
function startTunnel(namespace: string, profile: string) {
  const child = spawnIn(namespace, ['openvpn', '--config', 'stdin'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(profile);
  let output = '';
  const connected = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(CONNECTED)) resolve();
    };
    child.stdout!.on('data', listen);
    child.stderr!.on('data', listen);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`openvpn has ended:\n${output}`)));
  });
  return { child, connected, output: () => output };
}

/**
 * Adds a customer to the region's internet and connects with a real openvpn. The whole profile
 * takes effect, including the pushed default route.
 * @param input.region the region, by its id
 * @param input.profile text of an `.ovpn` file
 * @throws Error with openvpn's message when there is no tunnel in time; nothing is left behind then
 */
export async function connectCustomer(input: {
  region: { id: string };
  profile: string;
  timeoutMs?: number;
  /** Customizes the customer's namespace. */
  before?: (namespace: string) => Promise<unknown>;
}): Promise<Customer> {
  const { namespace, address, device } = await buildCustomer(input.region.id);
  await input.before?.(namespace);
  const { ask, ready } = startProbe(namespace);
  const tunnel = startTunnel(namespace, input.profile);
  const stop = () => removeNamespace(namespace);
  const timeout = new AbortController();
  const timeoutMs = input.timeoutMs ?? 60_000;
  const late = sleep(timeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`no tunnel within ${timeoutMs} ms:\n${tunnel.output()}`);
  });
  try {
    await Promise.race([Promise.all([tunnel.connected, ready]), late]);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    late.catch(() => undefined);
    timeout.abort();
  }
  const ping = async (timeoutMs = 1000) =>
    (await ask<number | null>({ ask: 'ping', timeoutMs })) ?? undefined;
  return {
    address,
    device,
    seenAddress: (family = 4) => ask<string>({ ask: 'address', family }),
    ping,
    alive: async () => (await ping(500)) !== undefined,
    download: (bytes, family = 4) => ask<number>({ ask: 'download', bytes, family }),
    upload: bytes => ask<number>({ ask: 'upload', bytes }),
    watch: () => ask<void>({ ask: 'watch' }),
    lastEcho: () => ask<number>({ ask: 'lastEcho' }),
    answers: (address, port) => ask<boolean>({ ask: 'answers', address, port, timeoutMs: 1500 }),
    openFlows: flows => ask<void>({ ask: 'openFlows', flows }),
    exec: command => must('ip', ['netns', 'exec', namespace, ...command]),
    output: tunnel.output,
    running: () => tunnel.child.exitCode === null && tunnel.child.signalCode === null,
    stop,
  };
}
