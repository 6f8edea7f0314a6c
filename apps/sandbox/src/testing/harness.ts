import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { expect } from 'vitest';
import { type SandboxOptions, startSandbox } from '../start.ts';
import { createPaypalChecker } from './paypal-published.ts';
import { providerOptions } from './provider-options.ts';

const SECRET = 'sk_test_harness';
export const PUBLISHABLE = 'pk_test_harness';
const WEBHOOK_SECRET = 'whsec_harness';
const CONTROL = 'control-token-of-the-harness';

/** PayPal's own descriptions, if available; they are not part of this repository. */
const { PAYPAL_OPENAPI } = process.env;
const published = PAYPAL_OPENAPI ? createPaypalChecker(PAYPAL_OPENAPI) : undefined;

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * A running sandbox with a shop that collects its webhooks, called like the real shop does: by the
 * official SDK over HTTP. `emitted` holds every answer and event, for the check against the SDK's
 * types.
 */
export async function startHarness(more: Partial<SandboxOptions> = {}) {
  const events: Stripe.Event[] = [];
  const refused: string[] = [];
  const emitted: { body: object; view: 'whole' | 'public' }[] = [];
  /** Objects of PayPal's sandbox that do not match PayPal's own description. */
  const wrong: string[] = [];
  /** Answers of the shop to the next webhooks; 200 once the list is empty. */
  const answers: number[] = [];

  const shop = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const status = answers.shift() ?? 200;
      try {
        const body = Buffer.concat(chunks).toString();
        const event = stripe.webhooks.constructEvent(
          body,
          request.headers['stripe-signature']!,
          WEBHOOK_SECRET,
        );
        if (status === 200) events.push(event);
        emitted.push({ body: event, view: 'whole' });
        reply.writeHead(status).end();
      } catch (error) {
        refused.push((error as Error).message);
        reply.writeHead(400).end();
      }
    });
  });
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    secretKey: SECRET,
    publishableKey: PUBLISHABLE,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: `${shopUrl}/webhooks/stripe`,
    ...providerOptions(shopUrl),
    controlToken: CONTROL,
    shopOrigins: [shopUrl],
    onAnswer: ({ body, publishable }) => emitted.push({ body, view: publishable ? 'public' : 'whole' }),
    onPaypalAnswer: exchange => wrong.push(...(published?.exchange(exchange) ?? [])),
    ...more,
  });
  const client = (key: string, maxNetworkRetries = 0) => {
    const { hostname, port } = new URL(sandbox.url);
    return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries });
  };
  const stripe = client(SECRET);

  /** Calls the control interface; throws its refusal. */
  const control = async <T = { id: string }>(
    path: string,
    body?: object,
    method = body ? 'POST' : 'GET',
  ): Promise<T> => {
    const answer = await fetch(`${sandbox.url}/_sbx/${path}`, {
      method,
      headers: { authorization: `Bearer ${CONTROL}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const json = (await answer.json()) as T & { error?: string };
    if (!answer.ok) throw new Error(json.error);
    return json;
  };

  return {
    url: sandbox.url,
    smtpUrl: sandbox.smtpUrl,
    catchUp: sandbox.catchUp,
    stripe,
    /** An SDK that retries, as the shop's does. */
    retrying: client(SECRET, 2),
    publishable: client(PUBLISHABLE),
    events,
    refused,
    emitted,
    wrong,
    answers,
    control,
    fault: (
      match: object,
      what: unknown,
      more: { times?: number; probability?: number; seed?: string } = {},
    ) => control('faults', { match, do: what, ...more }),
    /** Types of the events so far about one object. */
    typesOf: (id: string) =>
      events
        .filter(event =>
          [
            (event.data.object as { id: string }).id,
            (event.data.object as { payment_intent?: string }).payment_intent,
          ].includes(id),
        )
        .map(event => event.type),
    stop: async () => {
      await sandbox.stop();
      shop.close();
      shop.closeAllConnections();
    },
  };
}

/** Waits until an expectation holds, long enough for a busy machine. */
export const eventually = <T>(look: () => T) => expect.poll(look);

/** Returns the error of a promise; fails if there is none. */
export async function errorOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error('The call did not fail as Stripe fails', { cause: error });
}
