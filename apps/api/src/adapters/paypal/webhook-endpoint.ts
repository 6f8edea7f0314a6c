import { z } from 'zod';
import { EVENTS } from './check.ts';
import type { PaypalClient } from './client.ts';

const PATH = 'v1/notifications/webhooks';
const shape = z.object({ id: z.string(), url: z.string() });

/**
 * The webhook of the app that leads to an address; created with its events where there is none.
 * @returns its id, by which its messages are verified
 */
export async function webhookFor({ get, post }: PaypalClient, url: string): Promise<string> {
  const { webhooks } = await get(z.object({ webhooks: z.array(shape) }), PATH);
  const known = webhooks.find(each => each.url === url);
  const made = known ?? (await post(shape, PATH, { url, event_types: EVENTS.map(name => ({ name })) }));
  return made.id;
}
