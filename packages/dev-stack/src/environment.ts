import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatabaseUrls, databaseSettings } from '@fixpoint/postgres/roles.ts';
import { root } from './env.ts';
import { freePort } from './ports.ts';

/** Keys of the stand-in providers: random, made once, worthless outside this data folder. */
export interface SandboxKeys {
  secret: string;
  publishable: string;
  webhookSecret: string;
  paypalId: string;
  paypalSecret: string;
  paypalWebhook: string;
  controlToken: string;
  btcpayToken: string;
  btcpayWebhookSecret: string;
}

/** The one store of the stand-in for BTCPay Server. */
const BTCPAY_STORE = 'sandbox-store';

export type SandboxPorts = { port: number; smtpPort: number };

/** Where each part of the stack is reached. */
export interface Addresses {
  host: string;
  port: number;
  publicUrl: string;
  databaseUrls: DatabaseUrls;
  agentSocket: string;
  /** Undefined when the real providers are used. */
  sandbox: SandboxPorts | undefined;
}

/** Reads `dataDir/sandbox/keys.json`, and makes what is not there. */
export async function sandboxKeys(dataDir: string): Promise<SandboxKeys> {
  const folder = join(dataDir, 'sandbox');
  const file = join(folder, 'keys.json');
  const saved = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '{}';
  });
  const random = () => randomBytes(24).toString('hex');
  const keys: SandboxKeys = {
    secret: `sk_test_${random()}`,
    publishable: `pk_test_${random()}`,
    webhookSecret: `whsec_${random()}`,
    paypalId: `sandbox-${random()}`,
    paypalSecret: `sandbox-${random()}`,
    paypalWebhook: random().slice(0, 17).toUpperCase(),
    controlToken: random(),
    btcpayToken: random(),
    btcpayWebhookSecret: random(),
    ...(JSON.parse(saved) as Partial<SandboxKeys>),
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return keys;
}

/** Address at which a program of this machine reaches the API, whatever it listens on. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  return `http://${everywhere[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`;
}

/** The API's environment: what the operator gave, and what the stack knows better. */
export function apiEnv(
  given: Record<string, string>,
  at: Addresses,
  dataDir: string,
  keys: SandboxKeys | undefined,
): Record<string, string> {
  return {
    WEB_DIR: join(root, 'apps/web/dist'),
    ...(keys && at.sandbox ? sandboxProviders(at.sandbox, keys, dataDir) : {}),
    ROLE: 'all',
    NODE_ENV: 'production',
    ...given,
    PORT: String(at.port),
    HOST: at.host,
    PUBLIC_URL: at.publicUrl,
    ...databaseSettings(at.databaseUrls),
    DATA_DIR: dataDir,
    AGENT_SOCKET: at.agentSocket,
  };
}

/** How the stand-in provider of this data folder is reached by who did not start it; undefined when none has run. */
export async function sandboxOf(dataDir: string): Promise<Record<string, string> | undefined> {
  const ports = await savedPorts(dataDir);
  return ports && sandboxProviders(ports, await sandboxKeys(dataDir), dataDir);
}

async function savedPorts(dataDir: string): Promise<SandboxPorts | undefined> {
  const text = await readFile(portsFile(dataDir), 'utf8').catch(() => undefined);
  return text ? (JSON.parse(text) as SandboxPorts) : undefined;
}

/**
 * Where the stand-ins listen: where they did before, so that addresses stay the same also when the usual port was busy
 * once (FO12); at first on the usual ports, or any for a throwaway stack.
 * @param isUsual whether this stack is on a port of choice
 */
export async function sandboxPorts(dataDir: string, isUsual: boolean): Promise<SandboxPorts> {
  const before = (await savedPorts(dataDir)) ?? (isUsual ? { port: 8081, smtpPort: 8025 } : undefined);
  return { port: await freePort(before?.port), smtpPort: await freePort(before?.smtpPort) };
}

/** Writes down where the stand-in provider listens. */
export const keepSandboxPorts = (dataDir: string, ports: SandboxPorts): Promise<void> =>
  writeFile(portsFile(dataDir), JSON.stringify(ports));

const portsFile = (dataDir: string): string => join(dataDir, 'sandbox', 'ports.json');

/** Whose certificates may sign what the stand-in for PayPal delivers. */
const authorityFile = (dataDir: string): string => join(dataDir, 'sandbox', 'authority.pem');

function sandboxProviders(at: SandboxPorts, keys: SandboxKeys, dataDir: string): Record<string, string> {
  const url = `http://127.0.0.1:${at.port}`;
  return {
    STRIPE_SECRET: keys.secret,
    STRIPE_PUB: keys.publishable,
    STRIPE_WEBHOOK_SECRETS: keys.webhookSecret,
    STRIPE_API_HOST: '127.0.0.1',
    STRIPE_API_PORT: String(at.port),
    STRIPE_API_PROTOCOL: 'http',
    STRIPE_JS_URL: `${url}/v3/`,
    PROMPTPAY: 'true',
    BTCPAY_URL: url,
    BTCPAY_STORE,
    BTCPAY_TOKEN: keys.btcpayToken,
    BTCPAY_WEBHOOK_SECRETS: keys.btcpayWebhookSecret,
    PAYPAL_CLIENT_ID: keys.paypalId,
    PAYPAL_SECRET: keys.paypalSecret,
    PAYPAL_WEBHOOK_ID: keys.paypalWebhook,
    PAYPAL_API_ORIGIN: url,
    PAYPAL_CERT_CA_FILE: authorityFile(dataDir),
    PAYPAL_RECURRING: 'vault',
    SMTP_URL: `smtp://127.0.0.1:${at.smtpPort}`,
    SANDBOX_URL: url,
    SANDBOX_CONTROL_TOKEN: keys.controlToken,
    SEED: 'demo',
  };
}

/** The sandbox's environment. It calls the shop's webhook and lets the shop's pages frame its card fields. */
export function sandboxEnv(
  given: Record<string, string>,
  at: Addresses,
  dataDir: string,
  keys: SandboxKeys,
): Record<string, string> {
  const local = [`http://localhost:${at.port}`, `http://127.0.0.1:${at.port}`];
  const named = [at.publicUrl, given.PAY_URL ?? at.publicUrl];
  const origins = [...named.map(url => new URL(url).origin), ...local];
  return {
    ...given,
    SANDBOX_PORT: String(at.sandbox?.port),
    SANDBOX_SMTP_PORT: String(at.sandbox?.smtpPort),
    STRIPE_SECRET: keys.secret,
    STRIPE_PUB: keys.publishable,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_WEBHOOK_URL: `${localUrl(at)}/webhooks/stripe`,
    BTCPAY_STORE,
    BTCPAY_TOKEN: keys.btcpayToken,
    BTCPAY_WEBHOOK_SECRET: keys.btcpayWebhookSecret,
    BTCPAY_WEBHOOK_URL: `${localUrl(at)}/webhooks/btcpay`,
    PAYPAL_CLIENT_ID: keys.paypalId,
    PAYPAL_SECRET: keys.paypalSecret,
    PAYPAL_WEBHOOK_ID: keys.paypalWebhook,
    PAYPAL_WEBHOOK_URL: `${localUrl(at)}/webhooks/paypal`,
    PAYPAL_CERT_CA_FILE: authorityFile(dataDir),
    SANDBOX_CONTROL_TOKEN: keys.controlToken,
    SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
    SANDBOX_SHOP_ORIGIN: [...new Set(origins)].join(','),
  };
}
