import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readEnv, warningsOf } from '@fixpoint/api/env/env.ts';
import { shortened } from '@fixpoint/postgres/address.ts';
import { type Postgres, startPostgres } from '@fixpoint/postgres/postgres.ts';
import { type DatabaseUrls, urlsFor } from '@fixpoint/postgres/roles.ts';
import { regionOf } from '@fixpoint/sandbox/internet/env.ts';
import { type Child, type ChildSpec, StartError, startChild } from './child.ts';
import { basicEnv, readSettings, root, type Settings, SettingsError } from './env.ts';
import {
  type Addresses,
  apiEnv,
  localUrl,
  sandboxEnv,
  sandboxKeys,
  sandboxPorts,
  saveSandboxPorts,
} from './environment.ts';
import { type LogFile, openLog } from './log-file.ts';
import { freePort, isFree } from './ports.ts';
import { enrolmentToken, regionObstacle, regionProgram, showMissing } from './region.ts';

const apiProgram = 'apps/api/src/main.ts';
const sandboxProgram = 'apps/sandbox/src/main.ts';

/** By default: a quiet throwaway stack on free ports. */
export interface StackOptions {
  dataDir: string;
  /** Settings for the processes; `readSettings` reads those of the stack itself. Default ports are free ones. */
  env?: Record<string, string>;
  /** Start the demo region if this machine can run it. */
  region?: boolean;
  /** False: a process that exits stays down until `restart()`. */
  keepAlive?: boolean;
  /** False: the database may lose data when the machine crashes. */
  durable?: boolean;
  /** The API waits for it, as for the database. */
  prerequisite?: Promise<unknown>;
  /** Receives lines for the operator. */
  show?: (line: string) => void;
}

/** A running stack and its addresses. */
export interface Stack {
  /** URL for programs on this machine; customers use `publicUrl`. */
  url: string;
  publicUrl: string;
  databaseUrls: DatabaseUrls;
  /** Undefined when the operator has their own database. */
  postgres: Postgres | undefined;
  api: Child;
  /** Undefined with real gateways. `token` authorises the control interface. */
  sandbox: (Child & { url: string; mailUrl: string; token: string }) | undefined;
  /** The demo region and its id, or the reason why it does not run. */
  region: { child: Child; id: string } | { obstacle: string };
  /** Starts another node on the same database; a pure worker has no address. */
  startNode(role: 'api' | 'worker' | 'all'): Promise<{ url: string; child: Child }>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, the sandbox, the API and the demo region as needed, and waits until all are ready. Stops everything
 * when one cannot start.
 *
 * @throws SettingsError, DataDirError or StartError; their messages are for the operator
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, show = () => {}, keepAlive = true } = options;
  const settings = readSettings({ PORT: '0', ...basicEnv(), ...options.env, DATA_DIR: dataDir });
  const closing: (() => Promise<void>)[] = [];
  // Handled below; an earlier error may win.
  options.prerequisite?.catch(() => {});
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };

  async function open<T>(thing: Promise<T>, close: (value: T) => Promise<void>): Promise<T> {
    const value = await thing;
    closing.push(() => close(value));
    return value;
  }

  function log(name: string): LogFile {
    const file = openLog(join(dataDir, 'logs'), name);
    closing.push(async () => file.close());
    return file;
  }

  function child(
    name: string,
    command: string[],
    env: Record<string, string>,
    whenReady: ChildSpec['whenReady'],
    lateEnv?: ChildSpec['lateEnv'],
  ): Promise<Child> {
    const spec = { name, command, env, lateEnv, cwd: root, log: log(name), show, keepAlive, whenReady };
    return open(startChild(spec), started => started.stop());
  }

  function database(file: LogFile): Promise<Postgres> {
    const starting = startPostgres({ dataDir, durable: options.durable, log: line => file.write(line) });
    return open(starting, server => server.stop());
  }

  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // The folder holds master key and database: closes an existing one too.
    await chmod(dataDir, 0o700);
    const keys = settings.realProviders ? undefined : await sandboxKeys(dataDir);
    const socket = await open(shortened(dataDir, 'agent.sock'), ({ release }) => release());
    const at = await addresses(settings, join(socket.folder, 'agent.sock'));
    const env = settings.env;
    for (const warning of checkApiEnv(apiEnv(env, at, dataDir, keys))) show(`Warning: ${warning}`);

    const url = localUrl(at);
    const starting = [
      settings.databaseUrls ? undefined : database(log('postgres')),
      keys && child('sandbox', [sandboxProgram], sandboxEnv(env, at, dataDir, keys), saysReady),
    ] as const;
    // The API loads while the database starts. It touches nothing in the data folder before it has these settings, because
    // only the database's lock shows that no other stack uses the folder.
    const complete = all(...starting, options.prerequisite).then(async ([server]) => {
      if (server) at.databaseUrls = server.urls;
      if (at.sandbox) await saveSandboxPorts(dataDir, at.sandbox);
      return apiEnv(env, at, dataDir, keys);
    });
    // A pure worker has no address.
    const whenReady: ChildSpec['whenReady'] = async (_, signal) =>
      env.ROLE === 'worker' ? undefined : answers(`${url}/healthz`, signal);
    const loading = child('api', [apiProgram], apiEnv(env, at, dataDir, keys), whenReady, complete);
    const [postgres, sandbox, forApi, api] = await all(...starting, complete, loading);
    async function startNode(role: string): Promise<{ url: string; child: Child }> {
      const port = await freePort();
      const ownUrl = localUrl({ ...at, port });
      // Hosts on this machine connect to the first node.
      const { AGENT_SOCKET: _, ...rest } = forApi;
      const nodeEnv = { ...rest, PORT: String(port), ROLE: role };
      const ready: ChildSpec['whenReady'] = async (_line, signal) =>
        role === 'worker' ? undefined : answers(`${ownUrl}/healthz`, signal);
      return { url: ownUrl, child: await child(`api-${role}`, [apiProgram], nodeEnv, ready) };
    }
    if (settings.realProviders) {
      const stopping = new AbortController();
      closing.push(async () => stopping.abort());
      showMissing(root, forApi, show, stopping.signal);
    }
    const region = options.region ? await startRegion(forApi, child) : { obstacle: 'not asked for' };
    const mailUrl = `http://127.0.0.1:${at.sandbox?.port}`;
    return {
      url,
      publicUrl: at.publicUrl,
      databaseUrls: at.databaseUrls,
      postgres,
      api,
      region,
      startNode,
      stop,
      sandbox:
        sandbox &&
        keys &&
        Object.assign(sandbox, { url: mailUrl, mailUrl: `${mailUrl}/mail`, token: keys.controlToken }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Like Promise.all, but waits for all even when one fails: a process that is still starting could not be stopped. */
async function all<T extends readonly unknown[]>(...things: T): Promise<{ [I in keyof T]: Awaited<T[I]> }> {
  const results = await Promise.allSettled(things);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return results.map(result => (result as PromiseFulfilledResult<unknown>).value) as never;
}

async function addresses(settings: Settings, agentSocket: string): Promise<Addresses> {
  const { port, host, publicUrl, dataDir, databaseUrls, realProviders } = settings;
  const free = await isFree(port, host).catch((error: Error) => {
    throw new SettingsError(`Cannot listen on ${host}:${port}: ${error.message}`);
  });
  if (!free)
    throw new SettingsError(
      `PORT: port ${port} is in use by another program. This names it, as root: ss -ltnp 'sport = :${port}'. Stop it, or choose another port. Example: PORT=${port + 1}`,
    );
  const chosen = port || (await freePort());
  return {
    host,
    port: chosen,
    publicUrl: port ? publicUrl : `http://localhost:${chosen}`,
    // A placeholder until the embedded one runs.
    databaseUrls: databaseUrls ?? urlsFor('postgresql:///fixpoint'),
    agentSocket,
    sandbox: realProviders ? undefined : await sandboxPorts(dataDir, port !== 0),
  };
}

/** @returns warnings for the operator. @throws SettingsError for settings that the API would refuse */
function checkApiEnv(env: Record<string, string>): string[] {
  try {
    return warningsOf(readEnv(env));
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error));
  }
}

async function startRegion(
  env: Record<string, string>,
  child: (
    name: string,
    command: string[],
    env: Record<string, string>,
    ready: ChildSpec['whenReady'],
  ) => Promise<Child>,
): Promise<Stack['region']> {
  const obstacle = regionObstacle(root);
  if (obstacle) return { obstacle };
  try {
    const token = await enrolmentToken(root, env);
    const id = regionOf(String(env.DATA_DIR));
    return {
      id,
      child: await child('region', [regionProgram], { ...env, DEMO_ID: id, AGENT_TOKEN: token }, saysReady),
    };
  } catch (error) {
    // A failed demo region must not stop the shop.
    return { obstacle: error instanceof Error ? error.message : String(error) };
  }
}

/** Resolves when the first JSON line says `ready`. @throws StartError with its reason otherwise */
async function saysReady(firstLine: Promise<unknown>): Promise<void> {
  const { ready, reason } = (await firstLine) as { ready?: boolean; reason?: string };
  if (!ready) throw new StartError(reason ?? 'the program printed no reason');
}

/** Resolves when the URL responds with a success status. */
async function answers(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]),
    }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(50);
  }
}
