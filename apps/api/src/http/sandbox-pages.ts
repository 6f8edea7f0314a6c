import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenHash } from '../crypto/secrets.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

const wanted = z.strictObject({ ms: z.int().positive() });

/** What the pages of the stand-in providers ask of the shop: who knows the token lets `ms` pass, or reads what it believes. */
export type ForSandbox = {
  token: string;
  move(ms: number): Promise<number>;
  shopRecords(): Promise<Record<string, string>>;
};

/**
 * POST /_sandbox/clock: the page of the stand-in providers lets time pass, and is told why it stands still.
 * GET /_sandbox/beliefs: what the shop holds to be true, to stand beside what they do. They alone know the token.
 */
export function serveSandboxPages(app: FastifyInstance, { token, move, shopRecords }: ForSandbox): void {
  const knows = (request: FastifyRequest) =>
    tokenHash(request.headers.authorization ?? '').equals(tokenHash(`Bearer ${token}`));
  app.post('/_sandbox/clock', { schema: { hide: true } }, async (request, reply) => {
    if (!knows(request)) return reply.status(401).send({});
    const { ms } = wanted.parse(request.body);
    // A year takes a minute or more, in which nothing is sent: the server would hang up.
    request.raw.socket.setTimeout(0);
    try {
      return await reply.send({ stops: await move(ms) });
    } catch (error) {
      if (!(error instanceof OperatorFault)) throw error;
      return reply.status(503).send({ error: error.message });
    }
  });
  app.get('/_sandbox/beliefs', { schema: { hide: true } }, async (request, reply) => {
    if (!knows(request)) return reply.status(401).send({});
    return reply.send(await shopRecords());
  });
}
