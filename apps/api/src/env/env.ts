import { join, resolve } from 'node:path';
import { environmentComplete } from '@fixpoint/contract/supervised.ts';
import type { z } from 'zod';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { alertSettings } from './alert-settings.ts';
import { cutSettings } from './env-file.ts';
import { readSetting } from './in-words.ts';
import { checked } from './problems.ts';
import { type Given, givenOf, schema } from './schema.ts';

export type Env = Omit<z.output<typeof schema>, 'PUBLIC_URL' | 'PAY_URL' | 'MASTER_KEY_FILE'> & {
  PUBLIC_URL: string;
  PAY_URL: string;
  MASTER_KEY_FILE: string;
};

const commandSchema = schema.pick({
  SALE_COUNTRY: true,
  DEFAULT_CURRENCY: true,
  PUBLIC_URL: true,
  PORT: true,
  AGENT_PORT: true,
  AGENT_URL: true,
  AGENT_PACKAGES_DIR: true,
  METRICS_PORT: true,
  METRICS_HOST: true,
  BRAND_NAME: true,
  COMPANY_NAME: true,
  COMPANY_ADDRESS: true,
  COMPANY_TAX_ID: true,
  BACKUP_RECIPIENTS: true,
  BACKUP_DIR: true,
  BACKUP_EVERY: true,
  BACKUP_KEEP: true,
  BACKUP_COPY_TO: true,
});
export type CommandEnv = Pick<
  Env,
  'DATABASE_URL' | 'DATABASE_APP_URL' | 'DATA_DIR' | 'MASTER_KEY_FILE' | 'PUBLIC_URL'
> &
  Omit<z.output<typeof commandSchema>, 'PUBLIC_URL' | 'PORT'>;

/** The environment of this process. */
export const givenSettings = (): NodeJS.ProcessEnv => process.env;

/** Settings of the operator's commands: database, master key and public address. */
export function readCommandEnv(source: NodeJS.ProcessEnv): CommandEnv {
  const { DATABASE_URL, DATABASE_APP_URL, DATA_DIR = './data', MASTER_KEY_FILE } = source;
  if (!DATABASE_URL || !DATABASE_APP_URL)
    throw new OperatorFault('DATABASE_URL or DATABASE_APP_URL is missing (or use: npm run shop -- COMMAND)');
  const rest = commandSchema.safeParse(givenOf(source));
  if (rest.error) throw refusal(faultsOf(commandSchema.shape, givenOf(source)));
  return {
    DATABASE_URL,
    DATABASE_APP_URL,
    DATA_DIR: resolve(DATA_DIR),
    MASTER_KEY_FILE: MASTER_KEY_FILE || join(resolve(DATA_DIR), 'master.key'),
    ...rest.data,
    PUBLIC_URL: publicUrlOf(rest.data),
  };
}

const providerSchema = schema.pick({
  STRIPE_SECRET: true,
  STRIPE_PUB: true,
  STRIPE_WEBHOOK_SECRETS: true,
  STRIPE_API_HOST: true,
  STRIPE_API_PORT: true,
  STRIPE_API_PROTOCOL: true,
  STRIPE_CALLS_PER_SECOND: true,
  PROMPTPAY: true,
  BTCPAY_URL: true,
  BTCPAY_STORE: true,
  BTCPAY_TOKEN: true,
  BTCPAY_WEBHOOK_SECRETS: true,
  PAYPAL_CLIENT_ID: true,
  PAYPAL_SECRET: true,
  PAYPAL_WEBHOOK_ID: true,
  PAYPAL_API_ORIGIN: true,
  PAYPAL_CERT_CA_FILE: true,
  PAYPAL_RECURRING: true,
  DISPUTED_SERVICE: true,
  RETIRED_METHODS: true,
  BRAND_NAME: true,
  PUBLIC_URL: true,
  PORT: true,
});
export type ProviderEnv = Omit<z.output<typeof providerSchema>, 'PUBLIC_URL' | 'PORT'> &
  Pick<Env, 'PUBLIC_URL'>;

/** Settings of the payment providers for a command; undefined if they are missing or invalid. */
export function readProviderEnv(source: NodeJS.ProcessEnv): ProviderEnv | undefined {
  const { data } = providerSchema.safeParse(givenOf(source));
  return data && { ...data, PUBLIC_URL: publicUrlOf(data) };
}

const alertSchema = schema.pick({
  ...(Object.fromEntries(Object.keys(alertSettings).map(name => [name, true])) as {
    [N in keyof typeof alertSettings]: true;
  }),
  SMTP_URL: true,
  MAIL_FROM: true,
  SUPPORT_EMAIL: true,
  BRAND_NAME: true,
});
export type AlertEnv = z.output<typeof alertSchema>;

/** Settings of alerts and the mail server for a command. @throws OperatorFault with every wrong or missing value */
export function readAlertEnv(source: NodeJS.ProcessEnv): AlertEnv {
  const { data, error } = alertSchema.safeParse(givenOf(source));
  if (error) throw refusal(faultsOf(alertSchema.shape, givenOf(source)));
  return data;
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: { PUBLIC_URL?: string | undefined; PORT: number }): string =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '');

const sandboxSchema = schema.pick({ SANDBOX_URL: true, SANDBOX_CONTROL_TOKEN: true }).required();

/** Control interface of the sandbox; undefined with real providers. */
export function readSandbox(source: Record<string, unknown>): { url: string; token: string } | undefined {
  const given = sandboxSchema.safeParse(source).data;
  return given && { url: given.SANDBOX_URL, token: given.SANDBOX_CONTROL_TOKEN };
}

/**
 * This machine has two names, which browsers treat as separate sites. Any other address stays the
 * same.
 */
function otherName(url: string): string {
  const other = new URL(url);
  if (other.hostname === 'localhost') other.hostname = '127.0.0.1';
  else if (other.hostname === '127.0.0.1') other.hostname = 'localhost';
  return other.href;
}

/** Everything that is wrong in some settings, one line each. */
const faultsOf = (fields: Record<string, z.ZodType>, given: Given): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const read = readSetting(name, field, given[name]);
    return 'fault' in read ? [read.fault] : [];
  });

const refusal = (problems: string[]): OperatorFault =>
  new OperatorFault(`Wrong or missing in the environment:\n${problems.map(line => `  ${line}`).join('\n')}`);

/** Reads and validates the environment. @throws OperatorFault with every wrong, missing or cut value */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const found = checked(source);
  const cut = cutSettings(source);
  if ('problems' in found) throw refusal([...cut, ...found.problems]);
  if (cut.length > 0) throw refusal(cut);
  const env = found.settings;
  const publicUrl = publicUrlOf(env);
  return {
    ...env,
    DATA_DIR: resolve(env.DATA_DIR),
    PUBLIC_URL: publicUrl,
    PAY_URL: new URL(env.PAY_URL ?? otherName(publicUrl)).origin,
    MASTER_KEY_FILE: env.MASTER_KEY_FILE ?? join(resolve(env.DATA_DIR), 'master.key'),
  };
}

/** The same for a program that may have been loaded before its parent knew all settings. */
export async function readEnvWhenComplete(): Promise<Env> {
  await environmentComplete(process.env);
  return readEnv();
}

/** Recommended changes of settings with which the shop can run. */
export const warningsOf = ({ PUBLIC_URL, PAY_URL }: Env): string[] =>
  PUBLIC_URL.startsWith('https:') && new URL(PUBLIC_URL).origin === PAY_URL
    ? [
        'PAY_URL is not set: the card provider’s script runs on the origin of the shop. Give it a name of its own.',
      ]
    : [];
