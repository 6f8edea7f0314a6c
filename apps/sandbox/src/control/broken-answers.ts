import type { FastifyReply } from 'fastify';

/** Ends the connection without an answer. */
export function dropConnection(reply: FastifyReply) {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Sends half of the announced body, then ends the connection. */
export function truncate(reply: FastifyReply, body: string) {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-length': Buffer.byteLength(body),
  });
  reply.raw.write(body.slice(0, body.length / 2), () => reply.raw.destroy());
  return reply;
}
