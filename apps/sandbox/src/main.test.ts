import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import nodemailer from 'nodemailer';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from './testing/harness.ts';

let dir: string;
let running: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  rmSync(dir, { recursive: true });
});

function spawnSandbox(more: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      STRIPE_SECRET: 'sk_test_main',
      STRIPE_PUB: 'pk_test_main',
      STRIPE_WEBHOOK_SECRET: 'whsec_main',
      STRIPE_WEBHOOK_URL: 'http://127.0.0.1:9/webhooks/stripe',
      BTCPAY_TOKEN: 'btcpay-token-of-main',
      BTCPAY_STORE: 'store',
      BTCPAY_WEBHOOK_SECRET: 'btcpay-secret-of-main',
      BTCPAY_WEBHOOK_URL: 'http://127.0.0.1:9/webhooks/btcpay',
      PAYPAL_CLIENT_ID: 'sandbox-main',
      PAYPAL_SECRET: 'sandbox-main-secret',
      PAYPAL_WEBHOOK_ID: 'WEBHOOKOFMAIN',
      PAYPAL_WEBHOOK_URL: 'http://127.0.0.1:9/webhooks/paypal',
      PAYPAL_CERT_CA_FILE: join(dir, 'authority.pem'),
      SANDBOX_CONTROL_TOKEN: 'control-token-of-main',
      SANDBOX_SHOP_ORIGIN: 'http://127.0.0.1:8080',
      SANDBOX_DATA_DIR: dir,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function start() {
  const child = spawnSandbox();
  const [line] = await once(createInterface(child.stdout!), 'line');
  const ready = JSON.parse(line) as { ready: boolean; url: string; smtp: string };
  const { hostname, port } = new URL(ready.url);
  return { child, ...ready, stripe: new Stripe('sk_test_main', { host: hostname, port, protocol: 'http' }) };
}

describe('the sandbox as a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'reports when it is ready, exits on %s, and keeps its state',
    async signal => {
      const first = await start();
      expect(first.ready).toBe(true);
      const customer = await first.stripe.customers.create({ email: 'ann@example.com' });
      const pay = (stripe: Stripe) =>
        stripe.paymentIntents.create(
          {
            amount: 700,
            currency: 'usd',
            payment_method: 'pm_card_visa',
            confirm: true,
            return_url: 'http://127.0.0.1/',
          },
          { idempotencyKey: 'pa-1' },
        );
      const intent = await pay(first.stripe);
      const transport = nodemailer.createTransport(first.smtp);
      await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Kept', text: 'T' });
      transport.close();
      first.child.kill(signal);
      expect((await once(first.child, 'exit'))[0]).toBe(0);

      const second = await start();
      expect((await second.stripe.customers.retrieve(customer.id)).id).toBe(customer.id);
      expect((await pay(second.stripe)).id).toBe(intent.id);
      expect((await second.stripe.events.list({ type: 'payment_intent.succeeded' })).data).toHaveLength(1);
      const mails = (await (await fetch(`${second.url}/mail/api/v1/messages`)).json()) as {
        messages: { Subject: string }[];
      };
      expect(mails.messages.map(mail => mail.Subject)).toEqual(['Kept']);
    },
  );

  it('keeps state older than a moment when it is killed', async () => {
    const first = await start();
    const customer = await first.stripe.customers.create({});
    await eventually(() => readFileSync(join(dir, 'state.jsonl'), 'utf8').includes(customer.id)).toBe(true);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await start();
    expect((await second.stripe.customers.retrieve(customer.id)).id).toBe(customer.id);
  });

  it('refuses to start in production', async () => {
    const child = spawnSandbox({ NODE_ENV: 'production' });
    let text = '';
    child.stderr!.on('data', chunk => {
      text += chunk;
    });
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(text).toContain('never runs in production');
  });
});
