import { join, resolve } from 'node:path';
import { supportHours } from '@fixpoint/contract/config.ts';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const text = z.string().trim().min(1);
const list = text.transform(value => value.split(',').map(item => item.trim()));
const origin = z
  .url({ protocol: /^https?$/ })
  .refine(url => new URL(url).origin === url, 'must be an origin, e.g. https://api-m.paypal.com');

const schema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: port.default(8080),
  HOST: text.default('127.0.0.1'),
  /** Address under which customers reach the shop; origin of links in mails. */
  PUBLIC_URL: z.url().optional(),
  /** Address under which browsers reach the pay document: the same server under another name (S65). */
  PAY_URL: z.url().optional(),
  /** The database as its owner (migrations alone), as the application, and as customers' calls. */
  DATABASE_URL: text,
  DATABASE_APP_URL: text,
  DATABASE_CUSTOMER_URL: text,
  DATA_DIR: text.default('./data'),
  WEB_DIR: text.default('apps/web/dist'),
  ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  /** Key that seals CA and server keys in the database: 32 bytes, made at the first start when the file is absent. */
  MASTER_KEY_FILE: text.optional(),
  STRIPE_SECRET: z.string().regex(/^(sk|rk)_(test|live)_/),
  STRIPE_PUB: z.string().regex(/^pk_(test|live)_/),
  /** One or two, comma-separated (rotation). */
  STRIPE_WEBHOOK_SECRETS: list,
  STRIPE_API_HOST: text.default('api.stripe.com'),
  STRIPE_API_PORT: port.default(443),
  STRIPE_API_PROTOCOL: z.enum(['http', 'https']).default('https'),
  STRIPE_JS_URL: z.url().default('https://js.stripe.com/endive/stripe.js'),
  /** Whether the account at Stripe takes PromptPay: it must be a Thai one. */
  PROMPTPAY: z
    .enum(['true', 'false'])
    .default('false')
    .transform(value => value === 'true'),
  /** A BTCPay Server, one of its stores, and a key of that store: all, or none for a shop without bitcoin. */
  BTCPAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  BTCPAY_STORE: text.optional(),
  BTCPAY_TOKEN: text.optional(),
  /** One or two, comma-separated (rotation). */
  BTCPAY_WEBHOOK_SECRETS: list.optional(),
  /** PayPal: these three, or none for a shop without it. */
  PAYPAL_CLIENT_ID: text.optional(),
  PAYPAL_SECRET: text.optional(),
  PAYPAL_WEBHOOK_ID: text.optional(),
  PAYPAL_API_ORIGIN: origin.default('https://api-m.paypal.com'),
  /** `vault`: buyers are asked whether renewals may be charged; PayPal must have allowed it, which it does in few countries. */
  PAYPAL_RECURRING: z.enum(['vault', 'none']).default('none'),
  /** Authorities besides the usual ones that PayPal's webhook certificates may come from (a PEM file). */
  PAYPAL_CERT_CA_FILE: text.optional(),
  SMTP_URL: z.string().regex(/^smtps?:\/\//),
  MAIL_FROM: text.default('Fixpoint <hello@fixpoint.example>'),
  /** The stand-in providers, and the token of their control interface: the shop's clock can be moved with them alone. */
  SANDBOX_URL: z.url().optional(),
  SANDBOX_CONTROL_TOKEN: text.optional(),
  /** TLS listener for VPN hosts: a port (0 = none) and, for a host on the same machine, a unix socket. */
  AGENT_PORT: port.default(0),
  AGENT_SOCKET: text.optional(),
  /** Plain HTTP for the operator's monitoring (0 = none), never reached by customers. */
  METRICS_PORT: port.default(0),
  METRICS_HOST: text.default('127.0.0.1'),
  /** `demo`: fill an empty catalogue with plans and a region to try the shop with. */
  SEED: z.enum(['none', 'demo']).default('none'),
  BRAND_NAME: text.default('Fixpoint'),
  /** Who runs the shop, for the terms and the privacy policy; what is empty is left out there. */
  COMPANY_NAME: z.string().trim().default(''),
  COMPANY_ADDRESS: z.string().trim().default(''),
  COMPANY_TAX_ID: z.string().trim().default(''),
  SUPPORT_EMAIL: text.default('support@fixpoint.example'),
  /** When somebody answers, Bangkok time: `24/7`, `daily 08:00-22:00` or `weekdays 09:00-18:00`. */
  SUPPORT_HOURS: z.string().regex(supportHours).default('24/7'),
  /** A Chatwoot of the operator and the token of its website inbox: both, or none for help by mail alone. */
  CHATWOOT_URL: z.url({ protocol: /^https?$/ }).optional(),
  CHATWOOT_TOKEN: text.optional(),
  DEFAULT_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('THB'),
  /** Country of sale: its VAT rate is contained in every price. */
  SALE_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default('TH'),
  /** Tests only: a file that names the point at which this process kills itself. */
  FAILPOINT_FILE: text.optional(),
  /** `false`: signing up with a known address answers alike, and its owner is told by mail. */
  SIGNUP_REVEALS_EMAIL: z
    .enum(['true', 'false'])
    .default('true')
    .transform(value => value === 'true'),
  /** Proxies that may name the client they speak for (addresses or networks); nobody else is believed (S70). */
  TRUST_PROXY: list.default([]),
  /** Secrets of 32 bytes (base64) that go into password hashes; the newest first. Without it, one from the master key. */
  PASSWORD_PEPPER: list
    .transform(keys => keys.map(key => Buffer.from(key, 'base64')))
    .refine(keys => keys.every(key => key.length >= 32), 'each must be 32 bytes in base64')
    .default([]),
  /** PBKDF2 rounds of one step of the human check, which takes 200 steps: 5000 are about a second on a laptop. */
  HUMAN_CHECK_COST: z.coerce.number().int().min(1).default(5_000),
  /** Factor on how many calls one address or customer may make; for tests that all come from one address. */
  LIMITS_SCALE: z.coerce.number().positive().default(1),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

export type Env = Omit<z.output<typeof schema>, 'PUBLIC_URL' | 'PAY_URL' | 'MASTER_KEY_FILE'> & {
  PUBLIC_URL: string;
  PAY_URL: string;
  MASTER_KEY_FILE: string;
};

/** The settings as they were given; what is empty counts as absent. */
const givenOf = (source: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));

export type CommandEnv = Pick<Env, 'DATABASE_URL' | 'DATABASE_APP_URL' | 'MASTER_KEY_FILE'>;

/** What a command of the operator needs: the database and, to sign, the master key. */
export function readCommandEnv(source: NodeJS.ProcessEnv = process.env): CommandEnv {
  const { DATABASE_URL, DATABASE_APP_URL, DATA_DIR = './data', MASTER_KEY_FILE } = source;
  if (!DATABASE_URL || !DATABASE_APP_URL)
    throw new Error('DATABASE_URL or DATABASE_APP_URL is missing (or use: npm run shop -- COMMAND)');
  return {
    DATABASE_URL,
    DATABASE_APP_URL,
    MASTER_KEY_FILE: MASTER_KEY_FILE || join(resolve(DATA_DIR), 'master.key'),
  };
}

const providerSchema = schema.pick({
  STRIPE_SECRET: true,
  STRIPE_WEBHOOK_SECRETS: true,
  STRIPE_API_HOST: true,
  STRIPE_API_PORT: true,
  STRIPE_API_PROTOCOL: true,
  BTCPAY_URL: true,
  BTCPAY_STORE: true,
  BTCPAY_TOKEN: true,
  BTCPAY_WEBHOOK_SECRETS: true,
});
export type ProviderEnv = z.output<typeof providerSchema>;

/** How a command reaches the payment providers; undefined when it was not told. */
export const readProviderEnv = (source: NodeJS.ProcessEnv = process.env): ProviderEnv | undefined =>
  providerSchema.safeParse(givenOf(source)).data;

const sandboxSchema = z.object({ SANDBOX_URL: z.url(), SANDBOX_CONTROL_TOKEN: text });

/** How the stand-in providers are steered; undefined when the shop has real ones. */
export function readSandbox(
  source: Record<string, unknown> = process.env,
): { url: string; token: string } | undefined {
  const given = sandboxSchema.safeParse(source).data;
  return given && { url: given.SANDBOX_URL, token: given.SANDBOX_CONTROL_TOKEN };
}

/** Nobody reads along: it is encrypted, or does not leave this machine. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

/** This machine has two names, and browsers take them for two sites; any other address is its own pay document's. */
function otherName(url: string): string {
  const other = new URL(url);
  if (other.hostname === 'localhost') other.hostname = '127.0.0.1';
  else if (other.hostname === '127.0.0.1') other.hostname = 'localhost';
  return other.href;
}

/** The same of PayPal, whose keys do not say what they are; those of our stand-in do. */
function wrongAtPaypal(env: z.output<typeof schema>): string[] {
  const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API_ORIGIN } = env;
  const given = [PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID].filter(Boolean).length;
  if (given === 0) return [];
  if (given < 3) return ['  PAYPAL_CLIENT_ID, PAYPAL_SECRET and PAYPAL_WEBHOOK_ID: set all three, or none'];
  const test = PAYPAL_API_ORIGIN === 'https://api-m.sandbox.paypal.com';
  const atPaypal = test || PAYPAL_API_ORIGIN === 'https://api-m.paypal.com';
  const ofStandIn = PAYPAL_SECRET!.startsWith('sandbox-');
  if (ofStandIn && atPaypal) return ['  PAYPAL_SECRET is of the stand-in but PAYPAL_API_ORIGIN is PayPal'];
  if (!ofStandIn && !atPaypal) {
    return ['  PAYPAL_API_ORIGIN is not PayPal, and nobody else may see PAYPAL_SECRET'];
  }
  if (test && env.NODE_ENV === 'production') {
    return ['  PAYPAL_API_ORIGIN is for trying. To try the shop with it, set NODE_ENV=development'];
  }
  return [];
}

function wrongAtBtcpay(env: z.output<typeof schema>): string[] {
  const { BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS } = env;
  const given = [BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS];
  if (given.some(Boolean) && !given.every(Boolean)) {
    return ['  BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS: set all, or none'];
  }
  if (BTCPAY_URL && !isSafe(new URL(BTCPAY_URL))) {
    return ['  BTCPAY_URL must be https: its key would be sent for everybody to read'];
  }
  return [];
}

/** The environment, checked. Throws one error that names every wrong or missing value. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const parsed = schema.safeParse(givenOf(source));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Wrong or missing in the environment:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const wrong: string[] = [];
  // A live key is shown to the provider itself and to nobody else (S61).
  const atStripe = env.STRIPE_API_HOST === 'api.stripe.com' && env.STRIPE_API_PROTOCOL === 'https';
  if (env.STRIPE_SECRET.includes('_live_') && !atStripe) {
    wrong.push('  STRIPE_SECRET is a live key but STRIPE_API_HOST is not https api.stripe.com');
  }
  // A test key where real customers pay is a mistake that costs money.
  if (env.STRIPE_SECRET.includes('_test_') && atStripe && env.NODE_ENV === 'production') {
    wrong.push('  STRIPE_SECRET is a test key. To try the shop with it, set NODE_ENV=development');
  }
  if (env.STRIPE_SECRET.includes('_live_') !== env.STRIPE_PUB.includes('_live_')) {
    wrong.push('  STRIPE_SECRET and STRIPE_PUB are not of the same mode');
  }
  wrong.push(...wrongAtPaypal(env), ...wrongAtBtcpay(env));
  if (!env.CHATWOOT_URL !== !env.CHATWOOT_TOKEN) {
    wrong.push('  CHATWOOT_URL and CHATWOOT_TOKEN: set both, or none');
  }
  if (env.FAILPOINT_FILE && env.NODE_ENV === 'production') wrong.push('  FAILPOINT_FILE is for tests');
  if (wrong.length > 0) throw new Error(`Wrong in the environment:\n${wrong.join('\n')}`);
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '');
  return {
    ...env,
    DATA_DIR: resolve(env.DATA_DIR),
    PUBLIC_URL: publicUrl,
    PAY_URL: new URL(env.PAY_URL ?? otherName(publicUrl)).origin,
    MASTER_KEY_FILE: env.MASTER_KEY_FILE ?? join(resolve(env.DATA_DIR), 'master.key'),
  };
}

/** What an operator should change though the shop can run with it (FS15). */
export const warningsOf = ({ PUBLIC_URL, PAY_URL }: Env): string[] =>
  PUBLIC_URL.startsWith('https:') && new URL(PUBLIC_URL).origin === PAY_URL
    ? [
        'PAY_URL is not set: the card provider’s script runs on the origin of the shop. Give it a name of its own.',
      ]
    : [];
