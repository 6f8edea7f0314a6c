import { openPaypal } from '../../adapters/paypal/client.ts';
import { paypalSettings } from '../../adapters/paypal/settings.ts';
import { webhookFor } from '../../adapters/paypal/webhook-endpoint.ts';
import { openStripe, stripeSettings } from '../../adapters/stripe/client.ts';
import { createWebhookEndpoint } from '../../adapters/stripe/webhook-endpoint.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { readProviderEnv } from '../../env/env.ts';
import type { Finding, Machine } from './machine.ts';
import { SHOP } from './proxy.ts';
import type { Settings } from './settings-file.ts';

/** Takes the place of what a set-up is about to create, so that the rest can be read. */
const LATER = { STRIPE_WEBHOOK_SECRETS: 'whsec_later', PAYPAL_WEBHOOK_ID: 'later' };

/**
 * Creates the webhooks of the shop at Stripe and PayPal, where the settings do not have them.
 * @returns the settings that it has made, and what it could not do
 */
export async function setUpWebhooks(
  settings: Settings,
  say: Machine['say'],
): Promise<{ made: Settings; findings: Finding[] }> {
  const made: Settings = {};
  const findings: Finding[] = [];
  const env = readProviderEnv({ ...(settings.PAYPAL_CLIENT_ID ? LATER : withoutPaypal), ...settings });
  if (!env) return { made, findings };
  // The sandbox delivers to this machine only.
  const ofSandbox = /^(127\.|localhost)/.test(env.STRIPE_API_HOST);
  const base = ofSandbox ? `http://${SHOP}` : env.PUBLIC_URL;
  const attempt = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
      say(`The webhook at ${name} leads to ${base}.`);
    } catch (error) {
      const cause = (error as Error).cause as Error | undefined;
      findings.push({
        about: `Webhook at ${name}`,
        todo: `${name} did not make one (${cause?.message ?? (error as Error).message}). Check its keys, then run fixpoint doctor.`,
      });
    }
  };
  if (!settings.STRIPE_WEBHOOK_SECRETS)
    await attempt('Stripe', async () => {
      const client = openStripe(stripeSettings(env, systemClock));
      const { secret, others } = await createWebhookEndpoint(client, `${base}/webhooks/stripe`);
      made.STRIPE_WEBHOOK_SECRETS = secret;
      if (others.length > 0)
        findings.push({
          about: 'Webhook at Stripe',
          todo: `An earlier endpoint has the same address (${others.join(', ')}), and the shop does not have its secret. Delete it at Stripe: Developers, Webhooks.`,
        });
    });
  if (settings.PAYPAL_CLIENT_ID && settings.PAYPAL_SECRET && !settings.PAYPAL_WEBHOOK_ID)
    await attempt('PayPal', async () => {
      const client = openPaypal(paypalSettings(env, systemClock)!);
      made.PAYPAL_WEBHOOK_ID = await webhookFor(client, `${base}/webhooks/paypal`);
    });
  return { made, findings };
}

const { PAYPAL_WEBHOOK_ID: _, ...withoutPaypal } = LATER;
