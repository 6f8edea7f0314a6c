import { isIP } from 'node:net';
import { supportHours } from '@fixpoint/contract/config.ts';
import type { Returns } from '@fixpoint/domain/subscription/withdrawal.ts';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const text = z.string().trim().min(1);
const list = text.transform(value => value.split(',').map(item => item.trim()));
const origin = z
  .url({ protocol: /^https?$/ })
  .refine(url => new URL(url).origin === url, 'must be an origin, e.g. https://api-m.paypal.com');

/** An address, or one with the length of its network. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const long = /^\d{1,3}$/.test(length ?? '0') && Number(length ?? 0) <= bits;
  return bits > 0 && long && more.length === 0;
}

/** Every setting, each by itself. */
export const schema = z.object({
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
  STRIPE_SECRET: z
    .string()
    .regex(/^(sk|rk)_(test|live)_/, 'is no secret key of Stripe, which begins with sk_live_ or rk_live_'),
  STRIPE_PUB: z.string().regex(/^pk_(test|live)_/, 'is no public key of Stripe, which begins with pk_live_'),
  /** One or two, comma-separated (rotation). */
  STRIPE_WEBHOOK_SECRETS: list.refine(
    secrets => secrets.every(secret => secret.startsWith('whsec_')),
    'is no signing secret of a webhook of Stripe, which begins with whsec_',
  ),
  STRIPE_API_HOST: text.default('api.stripe.com'),
  STRIPE_API_PORT: port.default(443),
  STRIPE_API_PROTOCOL: z.enum(['http', 'https']).default('https'),
  /** Calls of one kind that each node sends Stripe in a second, at most; what Stripe allows an account by itself. */
  STRIPE_CALLS_PER_SECOND: z.coerce.number().int().min(1).default(25),
  STRIPE_JS_URL: z.url().default('https://js.stripe.com/endive/stripe.js'),
  /** Whether the account at Stripe takes PromptPay: it must be a Thai one. */
  PROMPTPAY: z
    .enum(['true', 'false'])
    .default('false')
    .transform(value => value === 'true'),
  /**
   * Methods that nobody begins to pay with any more, comma-separated; renewals by them are asked for. Their settings stay:
   * what was paid with them is refunded, disputed and compared for as long as that can be.
   */
  RETIRED_METHODS: list.pipe(z.array(z.enum(['paypal', 'bitcoin', 'promptpay']))).default([]),
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
  /** What becomes of a subscription whose payment is disputed: it goes on, or no key is let in until the dispute is won. */
  DISPUTED_SERVICE: z.enum(['keep', 'suspend']).default('keep'),
  SMTP_URL: z.string().regex(/^smtps?:\/\//, 'begins with smtps:// or smtp://'),
  MAIL_FROM: text.default('Fixpoint <hello@fixpoint.example>'),
  /** The stand-in providers, and the token of their control interface: the shop's clock can be moved with them alone. */
  SANDBOX_URL: z.url().optional(),
  SANDBOX_CONTROL_TOKEN: text.optional(),
  /** TLS listener for VPN hosts: a port (0 = none) and, for a host on the same machine, a unix socket. */
  AGENT_PORT: port.default(0),
  AGENT_SOCKET: text.optional(),
  /** Where that port listens: hosts do not come by the proxy that customers come by. Without it, where the shop does. */
  AGENT_HOST: text.optional(),
  /** Hetzner Cloud, where sold addresses are floating IPs of its: a token of the project that may write. */
  HCLOUD_TOKEN: text.optional(),
  HCLOUD_URL: z.url({ protocol: /^https?$/ }).default('https://api.hetzner.cloud/v1'),
  /** Plain HTTP for the operator's monitoring (0 = none), never reached by customers. */
  METRICS_PORT: port.default(0),
  METRICS_HOST: text.default('127.0.0.1'),
  /** `demo`: fill an empty catalogue with plans and a region to try the shop with. */
  SEED: z.enum(['none', 'demo']).default('none'),
  BRAND_NAME: text.default('Fixpoint'),
  /** Who runs the shop, for footer, terms, privacy policy and receipts; what is empty is left out there. */
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
  /** For how many years invoices of deleted accounts are kept under a pseudonym; without it, as the country of sale has it. */
  INVOICES_KEPT_YEARS: z.coerce.number().int().min(1).max(50).optional(),
  /** Countries whose law lets a buyer withdraw within 14 days, and what it gives back: all, or all but the days used. */
  WITHDRAWAL: list
    .refine(
      entries => entries.every(entry => /^[A-Z]{2}:(full|days)$/.test(entry)),
      'names countries and what their law gives back, separated by commas, such as DE:days,FR:full',
    )
    .transform(entries => Object.fromEntries(entries.map(entry => entry.split(':') as [string, Returns])))
    .default({}),
  /** Tests only: a file that names the point at which this process kills itself. */
  FAILPOINT_FILE: text.optional(),
  /** `false`: signing up with a known address answers alike, and its owner is told by mail. */
  SIGNUP_REVEALS_EMAIL: z
    .enum(['true', 'false'])
    .default('true')
    .transform(value => value === 'true'),
  /** Proxies that may name the client they speak for (addresses or networks); nobody else is believed (S70). */
  TRUST_PROXY: list
    .refine(
      proxies => proxies.every(isNetwork),
      'names addresses or networks, separated by commas, such as 127.0.0.1 or 10.0.0.0/8',
    )
    .default([]),
  /** Secrets of 32 bytes (base64) that go into password hashes; the newest first. Without it, one that the database holds, sealed. */
  PASSWORD_PEPPER: list
    .transform(keys => keys.map(key => Buffer.from(key, 'base64')))
    .refine(keys => keys.every(key => key.length >= 32), 'each must be 32 bytes in base64')
    .default([]),
  /** PBKDF2 rounds of one step of the human check, which takes 200 steps: 5000 are about a second on a laptop. */
  HUMAN_CHECK_COST: z.coerce.number().int().min(1).default(5_000),
  /** Factor on how many calls one address or customer may make; for tests that all come from one address. */
  LIMITS_SCALE: z.coerce.number().positive().default(1),
  /**
   * In ms: a node whose event loop is later than this, in the mean of a second or of this time where that is longer, answers
   * 503 until it has caught up (S69). For tests whose machine does other things beside.
   */
  MAX_EVENT_LOOP_DELAY: z.coerce.number().int().min(1).default(1_000),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

/** The settings as they were given; what is empty counts as absent. */
export const givenOf = (source: NodeJS.ProcessEnv): Given =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
export type Given = Partial<Record<string, string>>;
