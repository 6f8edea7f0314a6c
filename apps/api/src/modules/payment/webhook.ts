import type { FastifyInstance } from 'fastify';
import { failPoint } from '../../failpoints.ts';
import type { CardPayments } from '../../ports/card-payments.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';

/**
 * POST /webhooks/stripe. An event is only a hint: its signature is checked over the raw bytes, its id is stored once
 * together with the job that looks the object up, and 200 is answered at once — also for a repetition (S38).
 */
export async function paymentRoutes(
  app: FastifyInstance,
  { db, clock, jobs, cards }: { db: Db; clock: Clock; jobs: Jobs; cards: CardPayments },
): Promise<void> {
  await app.register(async scope => {
    // The signature covers the bytes as they came: nothing may parse them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/webhooks/stripe',
      { schema: { hide: true }, bodyLimit: 512 * 1024 },
      async (request, reply) => {
        const event = cards.verifyEvent(
          request.body as Buffer,
          request.headers['stripe-signature'] as string,
        );
        if (!event) return reply.status(400).send({ error: 'signature' });
        await db.transaction().execute(async tx => {
          const stored = await tx
            .insertInto('provider_event')
            .values({
              provider: 'stripe',
              event_id: event.id,
              type: event.type,
              object_ref: event.objectRef,
              received_at: clock.now(),
            })
            .onConflict(conflict => conflict.doNothing())
            .returning('event_id')
            .executeTakeFirst();
          if (stored) await jobs.enqueue(tx, 'providerEvent', { provider: 'stripe', eventId: event.id });
        });
        failPoint('webhook.stored');
        return reply.status(200).send({ received: true });
      },
    );
  });
}
