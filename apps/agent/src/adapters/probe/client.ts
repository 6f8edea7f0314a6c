import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredSubscription, Probe } from '@fixpoint/contract/agent.ts';
import { keyAddress } from '../../layout.ts';
import { CHILD_ENV } from '../run.ts';
import { withoutRights } from '../without-rights.ts';
import { renderClientConfig } from './client-config.ts';

/** A handshake on this host takes 50 ms; on a busy one several times that. */
const PATIENCE_MS = 10_000;

const THROUGH = 'Initialization Sequence Completed';
/** Its first packet is read with the key of the server alone. */
const ANSWERED = 'TLS: Initial packet from';

/** What openvpn says when it is through, and what it was given. */
export const isLetIn = (said: string, address: string): boolean =>
  said.includes(THROUGH) && said.includes(`,ifconfig ${address} 255.255.255.0`);

export type Client = { end(): Promise<void> };

/** A client without any right of its own, that ends with the agent. @returns undefined when it does not get as far as `sign` */
async function startClient(
  config: string,
  uid: number,
  sign: string,
): Promise<(Client & { said: string }) | undefined> {
  const command = [...withoutRights(uid, '--pdeathsig', 'KILL'), 'openvpn', '--config', 'stdin'];
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: CHILD_ENV,
  });
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
  const patience = new AbortController();
  let said = '';
  const signed = new Promise<boolean>(resolve => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(sign)) resolve(true);
    });
    void ended.then(() => resolve(false));
    sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(
      () => resolve(false),
      () => undefined,
    );
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(config);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const gotThere = await signed;
  patience.abort();
  if (gotThere) return { said, end };
  await end();
  return undefined;
}

/**
 * Connects as a customer's device does.
 * @returns undefined when it was not let in, or got another address than its own
 */
export async function connectClient(
  s: DesiredSubscription,
  probe: Probe,
  device: string,
  uid: number,
): Promise<Client | undefined> {
  const client = await startClient(renderClientConfig(s, probe, device, 'udp'), uid, THROUGH);
  if (!client || isLetIn(client.said, keyAddress(s, probe))) return client;
  await client.end();
  return undefined;
}

/** Whether the server answers by TCP. It goes no further: a key has one session, and the other way has that. */
export async function answersByTcp(
  s: DesiredSubscription,
  probe: Probe,
  device: string,
  uid: number,
): Promise<boolean> {
  const client = await startClient(renderClientConfig(s, probe, device, 'tcp'), uid, ANSWERED);
  await client?.end();
  return client !== undefined;
}
