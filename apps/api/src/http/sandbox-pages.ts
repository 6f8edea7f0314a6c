import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenHash } from '../secrets.ts';

const wanted = z.strictObject({ ms: z.int().positive() });

/** What the pages of the stand-in providers ask of the shop: who knows the token lets `ms` pass, or reads what it believes. */
export type ForSandbox = {
  token: string;
  move(ms: number): Promise<number>;
  believed(): Promise<Record<string, string>>;
};

/**
 * POST /_sandbox/clock: the page of the stand-in providers lets time pass. GET /_sandbox/beliefs: what the shop holds to be
 * true, to stand beside what they do. They alone know the token.
 */
export function serveSandboxPages(app: FastifyInstance, { token, move, believed }: ForSandbox): void {
  const knows = (request: FastifyRequest) =>
    tokenHash(request.headers.authorization ?? '').equals(tokenHash(`Bearer ${token}`));
  app.post('/_sandbox/clock', { schema: { hide: true } }, async (request, reply) => {
    if (!knows(request)) return reply.status(401).send({});
    const { ms } = wanted.parse(request.body);
    return reply.send({ stops: await move(ms) });
  });
  app.get('/_sandbox/beliefs', { schema: { hide: true } }, async (request, reply) => {
    if (!knows(request)) return reply.status(401).send({});
    return reply.send(await believed());
  });
}
