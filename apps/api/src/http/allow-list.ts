import { ALLOW_LIST_PATH } from '@fixpoint/contract/allow-list.ts';
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './routes.ts';

type Listed = { address: string; ipv6?: string };

/** Reads of one network in an hour: many firewalls of a company may share it. */
const LIMIT = { most: 600, seconds: 3600 };

/**
 * The addresses of a customer for their firewalls: as text with one address or prefix per line, or
 * as JSON. A firewall must never take a fault for an empty list, so only a list is answered with 200.
 * @param read list of a token; undefined if the token opens none
 * @param take counts a read of a client. @returns the seconds to wait beyond the limit
 */
export function serveAllowLists(
  app: FastifyInstance,
  read: (token: string) => Promise<Listed[] | undefined>,
  take: (ip: string, limit: typeof LIMIT) => Promise<number | undefined>,
): void {
  app.get(`${ALLOW_LIST_PATH}/:file`, { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const wait = await take(request.ip, LIMIT);
    if (wait) return sendRefusal(reply, { refusal: 'tooManyRequests', retryAfterSeconds: wait });
    const { file } = request.params as { file: string };
    const [, token, format] = /^([\w-]{43})\.(txt|json)$/.exec(file) ?? [];
    const list = token && (await read(token));
    if (!list) return sendRefusal(reply, { refusal: 'tokenInvalid' });
    if (format === 'json') return reply.type('application/json').send(JSON.stringify({ addresses: list }));
    const lines = list.flatMap(({ address, ipv6 }) => (ipv6 ? [address, ipv6] : [address]));
    return reply.type('text/plain; charset=utf-8').send(lines.map(line => `${line}\n`).join(''));
  });
}
