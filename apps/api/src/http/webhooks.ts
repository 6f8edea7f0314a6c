import type { FastifyInstance } from 'fastify';

/** Providers with webhooks, and the receiver of their deliveries. */
export type Deliveries = {
  providers(): ReadonlySet<string>;
  receiveWebhook(
    provider: string,
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    network: string,
  ): Promise<'taken' | 'forged'>;
};

/**
 * POST /webhooks/<provider>: 200 as soon as the event is stored.
 * @param clientName hash of a client's network
 */
export async function webhookRoutes(
  app: FastifyInstance,
  deliveries: Deliveries,
  clientName: (ip: string) => string,
): Promise<void> {
  await app.register(async scope => {
    // The signature covers the raw bytes, so nothing may parse them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const provider of deliveries.providers()) {
      scope.post(
        `/webhooks/${provider}`,
        { schema: { hide: true }, bodyLimit: 512 * 1024 },
        async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const outcome = await deliveries.receiveWebhook(
            provider,
            body,
            request.headers,
            clientName(request.ip),
          );
          if (outcome === 'forged') return reply.status(400).send({ error: 'signature' });
          return reply.status(200).send({ received: true });
        },
      );
    }
  });
}
