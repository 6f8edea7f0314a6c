import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenHash } from '../crypto/secrets.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

const wanted = z.strictObject({ ms: z.int().positive() });

/** Interface for the pages of the sandbox, which prove themselves by `token`. */
export type ForSandbox = {
  token: string;
  move(ms: number): Promise<number>;
  shopRecords(): Promise<Record<string, string>>;
};

/**
 * POST /_sandbox/clock advances the shop's clock, and answers why it cannot. GET /_sandbox/beliefs
 * returns the shop's records, to be shown beside those of the sandbox providers.
 */
export function serveSandboxPages(app: FastifyInstance, { token, move, shopRecords }: ForSandbox): void {
  const knows = (request: FastifyRequest) =>
    tokenHash(request.headers.authorization ?? '').equals(tokenHash(`Bearer ${token}`));
  app.post('/_sandbox/clock', { schema: { hide: true } }, async (request, reply) => {
    if (!knows(request)) return reply.status(401).send({});
    const { ms } = wanted.parse(request.body);
    // A year takes a minute or more without traffic, after which the server would close the
    // connection.
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
