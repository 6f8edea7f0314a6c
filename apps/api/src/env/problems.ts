import type { z } from 'zod';
import { isSafe } from './fields.ts';
import { readSetting } from './in-words.ts';
import { type Given, givenOf, schema } from './schema.ts';

type Settings = z.output<typeof schema>;
/** Settings of which some may be missing or wrong: those are named already. */
type Readable = Partial<Settings>;

/** A live key is sent to Stripe and nobody else (S61). */
const atStripe = ({
  STRIPE_API_HOST,
  STRIPE_API_PROTOCOL,
}: Partial<Record<'STRIPE_API_HOST' | 'STRIPE_API_PROTOCOL', string>>): boolean =>
  (STRIPE_API_HOST ?? 'api.stripe.com') === 'api.stripe.com' && (STRIPE_API_PROTOCOL ?? 'https') === 'https';

/**
 * Whether real customers pay here. A live key alone suffices, because it takes money whatever
 * NODE_ENV is.
 */
const isReal = ({
  NODE_ENV,
  STRIPE_SECRET,
}: Partial<Record<'NODE_ENV' | 'STRIPE_SECRET', string>>): boolean =>
  NODE_ENV === 'production' || !!STRIPE_SECRET?.includes('_live_');

function wrongAtStripe(env: Readable): string[] {
  const wrong: string[] = [];
  const { STRIPE_SECRET: secret = '', STRIPE_PUB: pub } = env;
  if (secret.includes('_live_') && !atStripe(env)) {
    wrong.push('STRIPE_SECRET is a live key but STRIPE_API_HOST is not https api.stripe.com');
  }
  // A test key in production is a mistake that costs money.
  if (secret.includes('_test_') && atStripe(env) && env.NODE_ENV === 'production') {
    wrong.push('STRIPE_SECRET is a test key. To try the shop with it, set NODE_ENV=development');
  }
  if (secret && pub && secret.includes('_live_') !== pub.includes('_live_')) {
    wrong.push('STRIPE_SECRET and STRIPE_PUB are not of the same mode');
  }
  return wrong;
}

/** The same for PayPal, whose keys do not reveal their mode; those of the sandbox do. */
function wrongAtPaypal(env: Readable): string[] {
  const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, PAYPAL_API_ORIGIN } = env;
  const given = [PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID].filter(Boolean).length;
  if (given === 0) return [];
  if (given < 3) return ['PAYPAL_CLIENT_ID, PAYPAL_SECRET and PAYPAL_WEBHOOK_ID: set all three, or none'];
  const test = PAYPAL_API_ORIGIN === 'https://api-m.sandbox.paypal.com';
  const atPaypal = test || PAYPAL_API_ORIGIN === 'https://api-m.paypal.com';
  const ofSandbox = PAYPAL_SECRET!.startsWith('sandbox-');
  if (ofSandbox && atPaypal) return ['PAYPAL_SECRET belongs to the sandbox but PAYPAL_API_ORIGIN is PayPal'];
  if (!ofSandbox && !atPaypal) {
    return ['PAYPAL_API_ORIGIN is not PayPal, and nobody else may get PAYPAL_SECRET'];
  }
  if (test && isReal(env)) {
    return [
      'PAYPAL_API_ORIGIN is for testing. Use it in a separate shop, with NODE_ENV=development and test keys of Stripe',
    ];
  }
  return [];
}

function wrongAtBtcpay(env: Readable): string[] {
  const { BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS } = env;
  const given = [BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS];
  if (given.some(Boolean) && !given.every(Boolean)) {
    return ['BTCPAY_URL, BTCPAY_STORE, BTCPAY_TOKEN, BTCPAY_WEBHOOK_SECRETS: set all, or none'];
  }
  if (BTCPAY_URL && !isSafe(new URL(BTCPAY_URL))) {
    return ['BTCPAY_URL must be https, because its key would be sent unencrypted'];
  }
  return [];
}

/** Settings that are valid alone but contradict each other. */
function contradictionsOf(env: Readable): string[] {
  const wrong = [...wrongAtStripe(env), ...wrongAtPaypal(env), ...wrongAtBtcpay(env)];
  if (!env.CHATWOOT_URL !== !env.CHATWOOT_TOKEN) {
    wrong.push('CHATWOOT_URL and CHATWOOT_TOKEN: set both, or none');
  }
  if (!env.ALERT_WEBHOOK_URL !== !env.ALERT_WEBHOOK_SECRET) {
    wrong.push('ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET: set both, or none');
  }
  if (env.BACKUP_DIR && env.BACKUP_RECIPIENTS?.length === 0)
    wrong.push('BACKUP_DIR needs BACKUP_RECIPIENTS: backups are encrypted (docs/operate/backup.md)');
  if (env.HCLOUD_URL && !isSafe(new URL(env.HCLOUD_URL)))
    wrong.push('HCLOUD_URL must be https, because its token would be sent unencrypted');
  if (env.FAILPOINT_FILE && env.NODE_ENV === 'production') wrong.push('FAILPOINT_FILE is for tests');
  return wrong;
}

/**
 * Settings that a shop with real money must have, with what to write. None of them can be guessed.
 */
const realShop = {
  PUBLIC_URL: 'the address that customers use, https://shop.example.com',
  TRUST_PROXY: 'the address of the TLS proxy before the shop, often 127.0.0.1',
  MAIL_FROM: 'the sender of emails, Shop <hello@example.com>',
  SUPPORT_EMAIL: 'where customers get help, support@example.com',
  COMPANY_NAME: 'the seller, shown in invoices, terms and privacy policy',
  COMPANY_ADDRESS: 'the address of that company, shown in invoices, terms and privacy policy',
} as const;

function missingForMoney(given: Given): string[] {
  if (!isReal(given) || !atStripe(given)) return [];
  const missing = Object.entries(realShop)
    .filter(([name]) => !given[name])
    .map(([name, what]) => `${name} is missing: ${what}`);
  if (given.PUBLIC_URL && !given.PUBLIC_URL.startsWith('https:'))
    missing.push(`PUBLIC_URL is ${given.PUBLIC_URL}: card payments require https`);
  return missing;
}

/** The settings of an environment, or everything that is wrong or missing in it, one line each. */
export function checked(source: NodeJS.ProcessEnv): { settings: Settings } | { problems: string[] } {
  const given = givenOf(source);
  const settings: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const read = readSetting(name, field, given[name]);
    if ('fault' in read) wrong.push(read.fault);
    else settings[name] = read.value;
  }
  const problems = [...wrong, ...contradictionsOf(settings as Readable), ...missingForMoney(given)];
  return problems.length === 0 ? { settings: settings as Settings } : { problems };
}

/** Everything that is wrong or missing in an environment, one line each. */
export function problemsOf(source: NodeJS.ProcessEnv): string[] {
  const found = checked(source);
  return 'problems' in found ? found.problems : [];
}
