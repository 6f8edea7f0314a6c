import Stripe from 'stripe';
import { EVENTS } from './check.ts';
import { reach, type StripeClient } from './client.ts';

/**
 * Creates the webhook endpoint of the shop, with its events in the version of the SDK.
 * @returns its signing secret, which Stripe shows this once, and the ids of earlier endpoints of the same address
 */
export async function createWebhookEndpoint(
  { stripe }: Pick<StripeClient, 'stripe'>,
  url: string,
): Promise<{ secret: string; others: string[] }> {
  const { data } = await reach(stripe.webhookEndpoints.list({ limit: 100 }));
  const made = await reach(
    stripe.webhookEndpoints.create({
      url,
      enabled_events: EVENTS as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      api_version: Stripe.API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
      description: 'Fixpoint',
    }),
  );
  return { secret: made.secret!, others: data.filter(each => each.url === url).map(({ id }) => id) };
}
