import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatabaseUrls, databaseSettings } from '@fixpoint/postgres/roles.ts';
import { root } from './env.ts';
import { freePort } from './ports.ts';

/** Keys of the sandbox gateways: random, created once, worthless outside this data folder. */
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

/** The only store of the sandbox's BTCPay Server. */
const BTCPAY_STORE = 'sandbox-store';

export type SandboxPorts = { port: number; smtpPort: number };

/** Addresses of the parts of the stack. */
export interface Addresses {
  host: string;
  port: number;
  publicUrl: string;
  databaseUrls: DatabaseUrls;
  agentSocket: string;
  /** Undefined with real gateways. */
  sandbox: SandboxPorts | undefined;
}

/** Reads `dataDir/sandbox/keys.json` and adds missing keys. */
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

/** URL of the API for programs on this machine; wildcard addresses become loopback. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  return `http://${everywhere[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`;
}

/** Environment of the API: the operator's settings, and over them those that the stack decides. */
export function apiEnv(
  given: Record<string, string>,
  at: Addresses,
  dataDir: string,
  keys: SandboxKeys | undefined,
): Record<string, string> {
  return {
    WEB_DIR: join(root, 'apps/web/dist'),
    ...(keys && at.sandbox ? sandboxSettings(at.sandbox, keys, dataDir) : {}),
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

/** Settings for the sandbox of this data folder, for programs that did not start it; undefined when it has never run. */
export async function sandboxOf(dataDir: string): Promise<Record<string, string> | undefined> {
  const ports = await savedPorts(dataDir);
  return ports && sandboxSettings(ports, await sandboxKeys(dataDir), dataDir);
}

async function savedPorts(dataDir: string): Promise<SandboxPorts | undefined> {
  const text = await readFile(portsFile(dataDir), 'utf8').catch(() => undefined);
  return text ? (JSON.parse(text) as SandboxPorts) : undefined;
}

/**
 * Ports of the sandbox: the saved ones, so that its addresses stay the same; at the first start the default ports, or
 * any free ones for a throwaway stack.
 * @param hasFixedPort whether the operator chose the port of this stack
 */
export async function sandboxPorts(dataDir: string, hasFixedPort: boolean): Promise<SandboxPorts> {
  const preferred =
    (await savedPorts(dataDir)) ?? (hasFixedPort ? { port: 8081, smtpPort: 8025 } : undefined);
  return { port: await freePort(preferred?.port), smtpPort: await freePort(preferred?.smtpPort) };
}

/** Saves the ports of the sandbox for the next start. */
export const saveSandboxPorts = (dataDir: string, ports: SandboxPorts): Promise<void> =>
  writeFile(portsFile(dataDir), JSON.stringify(ports));

const portsFile = (dataDir: string): string => join(dataDir, 'sandbox', 'ports.json');

/** Certificate authority that signs the webhooks of the sandbox's PayPal. */
const authorityFile = (dataDir: string): string => join(dataDir, 'sandbox', 'authority.pem');

function sandboxSettings(at: SandboxPorts, keys: SandboxKeys, dataDir: string): Record<string, string> {
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

/** Environment of the sandbox, which calls the shop's webhooks and allows the shop's pages to frame its card fields. */
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
