import { failPoint } from '../../../kernel/failpoints.ts';
import type { WebhookEvent } from '../../../ports/payment-gateway.ts';
import type { PaymentDeps } from '../deps.ts';
import { isOfAttempt } from './process-event.ts';

/** `network`: hash of the sender's network. */
type Delivery = {
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
  network: string;
};
type Deps = Pick<PaymentDeps, 'db' | 'clock' | 'jobs' | 'gateways'>;

/**
 * Receives a webhook. It is only a hint: its signature is checked over the raw bytes, and its id is stored once together with
 * the job that asks the gateway about the object, however often it is repeated (S38).
 */
export async function receiveWebhook(
  deps: Deps,
  provider: string,
  { body, headers, network }: Delivery,
): Promise<'taken' | 'forged'> {
  // Two methods of one gateway share its webhooks.
  const gateway = Object.values(deps.gateways).find(each => each.provider === provider)!;
  const notices = await gateway.readWebhook(body, headers, network);
  if (notices === 'forged') return 'forged';
  for (const notice of notices) await store(deps, provider, notice);
  failPoint('webhook.stored');
  return 'taken';
}

/** An automatic charge gets no job: its caller learns the outcome, or else the scheduled task processes it within a minute. */
async function store(
  { db, clock, jobs, gateways }: Deps,
  provider: string,
  { eventId, type, about, ref, ours, moved }: WebhookEvent,
): Promise<void> {
  const isItsPayment = isOfAttempt(gateways, { provider, object_ref: ref, own_id: ours });
  await db.transaction().execute(async tx => {
    const stored = await tx
      .insertInto('provider_event')
      .values({
        provider,
        event_id: eventId,
        type,
        about,
        object_ref: ref,
        own_id: ours,
        moved,
        received_at: clock.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning(({ val, exists, selectFrom }) => [
        exists(
          selectFrom('attempt')
            .select('id')
            .where(val(about), '=', 'payment')
            .where('unattended', '=', true)
            .where(isItsPayment),
        ).as('unhurried'),
      ])
      .executeTakeFirst();
    if (stored && !stored.unhurried) await jobs.enqueue(tx, 'providerEvent', { provider, eventId });
  });
}
