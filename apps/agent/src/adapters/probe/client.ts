import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredSubscription, Probe } from '@fixpoint/contract/agent.ts';
import { keyAddress } from '../../layout.ts';
import { CHILD_ENV } from '../run.ts';
import { unprivileged } from '../unprivileged.ts';
import { renderClientConfig, type Transport } from './client-config.ts';

/** A handshake on this host takes 50 ms, and several times that on a busy one. */
const TIMEOUT_MS = 10_000;
/** A client without any answer gives up sooner, so that two attempts end within half a minute. */
const SILENCE_MS = 7000;

/** Log messages of a successful connection, in this order. */
const STAGES = {
  answered: 'TLS: Initial packet from',
  trusted: 'Peer Connection Initiated',
  told: 'PUSH_REPLY',
  through: 'Initialization Sequence Completed',
};

/**
 * Returns the last stage that a rejected client reached. One that got `through` received a wrong
 * address.
 */
export const handshakeStage = (output: string): string =>
  Object.entries(STAGES).findLast(([, words]) => output.includes(words))?.[0] ?? 'silence';

/** Whether the client is connected and received its address. */
export const isConnected = (output: string, address: string): boolean =>
  output.includes(STAGES.through) && output.includes(`,ifconfig ${address} 255.255.255.0`);

export type Client = { end(): Promise<void> };

/**
 * Connects unprivileged, like a customer's device. The client ends with the agent.
 * @returns the stage reached when the client was not let in or got a wrong address
 */
export async function connectClient(
  s: DesiredSubscription,
  probe: Probe,
  device: string,
  uid: number,
  transport: Transport,
): Promise<Client | string> {
  const command = [...unprivileged(uid, '--pdeathsig', 'KILL'), 'openvpn', '--config', 'stdin'];
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: CHILD_ENV,
  });
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
  const timeout = new AbortController();
  let output = '';
  const connectedOnce = new Promise<boolean>(resolve => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(STAGES.through)) resolve(isConnected(output, keyAddress(s, probe)));
    });
    void ended.then(() => resolve(false));
    const late = (ms: number) => sleep(ms, undefined, { signal: timeout.signal });
    late(SILENCE_MS)
      .then(() => handshakeStage(output) === 'silence' || late(TIMEOUT_MS - SILENCE_MS))
      .then(
        () => resolve(false),
        () => undefined,
      );
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(renderClientConfig(s, probe, device, transport));
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const connected = await connectedOnce;
  timeout.abort();
  if (connected) return { end };
  await end();
  return handshakeStage(output);
}
