import type { FastifyInstance } from 'fastify';
import { failPoint } from '../../failpoints.ts';
import type { Notice, PaymentGateway } from '../../ports/payment-gateway.ts';
import type { PaymentDeps } from './deps.ts';

/**
 * POST /webhooks/<provider>. A notice is only a hint: its signature is checked over the raw bytes, its id is stored once
 * together with the job that looks the object up, and 200 is answered at once — also for a repetition (S38).
 */
export async function paymentRoutes(
  app: FastifyInstance,
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'jobs' | 'gateways'>,
): Promise<void> {
  // Two methods of one provider share its deliveries.
  const byProvider = new Map<string, PaymentGateway>(
    Object.values(deps.gateways).map(gateway => [gateway.provider, gateway]),
  );
  await app.register(async scope => {
    // The signature covers the bytes as they came: nothing may parse them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const [provider, gateway] of byProvider) {
      scope.post(
        `/webhooks/${provider}`,
        { schema: { hide: true }, bodyLimit: 512 * 1024 },
        async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const notices = gateway.readWebhook(body, request.headers);
          if (notices === 'forged') return reply.status(400).send({ error: 'signature' });
          for (const notice of notices) await store(deps, provider, notice);
          failPoint('webhook.stored');
          return reply.status(200).send({ received: true });
        },
      );
    }
  });
}

async function store(
  { db, clock, jobs }: Pick<PaymentDeps, 'db' | 'clock' | 'jobs'>,
  provider: string,
  { eventId, type, about, ref, ours, moved }: Notice,
): Promise<void> {
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
      .returning('event_id')
      .executeTakeFirst();
    if (stored) await jobs.enqueue(tx, 'providerEvent', { provider, eventId });
  });
}
