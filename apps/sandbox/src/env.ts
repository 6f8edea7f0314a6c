import { z } from 'zod';
import { isLoopback } from './loopback.ts';
import type { SandboxOptions } from './start.ts';

const LIVE_KEY = /^(sk|rk|pk)_live_/;

const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);
const key = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[\\w-]+$`), `must look like ${prefix}…`);
const origins = z.string().transform((text, context) => {
  const list = text.split(/[\s,]+/).filter(Boolean);
  if (list.length && list.every(origin => URL.canParse(origin) && new URL(origin).origin === origin))
    return list;
  context.addIssue({ code: 'custom', message: 'must be one or more origins, e.g. http://127.0.0.1:8080' });
  return z.NEVER;
});
const secret = z.string().min(16, 'must be at least 16 characters');
const loopbackUrl = z
  .url({ protocol: /^https?$/ })
  .refine(url => URL.canParse(url) && isLoopback(new URL(url).hostname), 'must be a loopback address');

const schema = z.object({
  SANDBOX_HOST: z.enum(['127.0.0.1', 'localhost', '::1'], 'must be a loopback address').default('127.0.0.1'),
  SANDBOX_PORT: port(8081),
  SANDBOX_SMTP_PORT: port(8025),
  STRIPE_SECRET: key('sk_test_'),
  STRIPE_PUB: key('pk_test_'),
  STRIPE_WEBHOOK_SECRET: key('whsec_'),
  STRIPE_WEBHOOK_URL: loopbackUrl,
  PAYPAL_CLIENT_ID: key('sandbox-'),
  PAYPAL_SECRET: key('sandbox-'),
  PAYPAL_WEBHOOK_ID: z.string().regex(/^[A-Z0-9]+$/),
  PAYPAL_WEBHOOK_URL: loopbackUrl,
  PAYPAL_CERT_CA_FILE: z.string().min(1),
  BTCPAY_TOKEN: secret,
  BTCPAY_STORE: z.string().min(1),
  BTCPAY_WEBHOOK_SECRET: secret,
  BTCPAY_WEBHOOK_URL: loopbackUrl,
  SANDBOX_CONTROL_TOKEN: secret,
  SANDBOX_DATA_DIR: z.string().min(1).optional(),
  SANDBOX_SHOP_ORIGIN: origins,
});

/**
 * Reads the sandbox's settings. Throws one error that names every missing or invalid variable,
 * never its value. Refuses production and live keys anywhere in the environment: a sandbox with
 * real customers would give service for nothing.
 */
export function readEnv(env: Record<string, string | undefined>): SandboxOptions {
  const faults: string[] = [];
  if (env.NODE_ENV === 'production') faults.push('NODE_ENV: the sandbox never runs in production');
  for (const [name, value] of Object.entries(env)) {
    if (value && LIVE_KEY.test(value)) faults.push(`${name}: holds a live key`);
  }
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = String(issue.path[0]);
      faults.push(`${name}: ${given[name] === undefined ? 'is missing' : issue.message}`);
    }
  }
  if (!parsed.success || faults.length) throw new Error(`Wrong settings:\n  ${faults.join('\n  ')}`);
  const e = parsed.data;
  return {
    host: e.SANDBOX_HOST,
    port: e.SANDBOX_PORT,
    smtpPort: e.SANDBOX_SMTP_PORT,
    secretKey: e.STRIPE_SECRET,
    publishableKey: e.STRIPE_PUB,
    webhookSecret: e.STRIPE_WEBHOOK_SECRET,
    webhookUrl: e.STRIPE_WEBHOOK_URL,
    paypal: {
      clientId: e.PAYPAL_CLIENT_ID,
      secret: e.PAYPAL_SECRET,
      webhook: { id: e.PAYPAL_WEBHOOK_ID, url: e.PAYPAL_WEBHOOK_URL },
      authorityFile: e.PAYPAL_CERT_CA_FILE,
    },
    btcpay: {
      token: e.BTCPAY_TOKEN,
      storeId: e.BTCPAY_STORE,
      webhook: { secret: e.BTCPAY_WEBHOOK_SECRET, url: e.BTCPAY_WEBHOOK_URL },
    },
    controlToken: e.SANDBOX_CONTROL_TOKEN,
    dataDir: e.SANDBOX_DATA_DIR,
    shopOrigins: e.SANDBOX_SHOP_ORIGIN,
  };
}
