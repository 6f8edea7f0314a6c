import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tokenHash } from '../secrets.ts';

const wanted = z.strictObject({ ms: z.int().positive() });

/** A clock that the page of the stand-in providers can move: who knows the token lets `ms` pass. */
export type SteeredClock = { token: string; move(ms: number): Promise<number> };

/** POST /_sandbox/clock: the page of the stand-in providers lets time pass. They alone know the token. */
export function serveSandboxClock(app: FastifyInstance, { token, move }: SteeredClock): void {
  app.post('/_sandbox/clock', { schema: { hide: true } }, async (request, reply) => {
    const given = tokenHash(request.headers.authorization ?? '');
    if (!given.equals(tokenHash(`Bearer ${token}`))) return reply.status(401).send({});
    const { ms } = wanted.parse(request.body);
    return reply.send({ stops: await move(ms) });
  });
}
