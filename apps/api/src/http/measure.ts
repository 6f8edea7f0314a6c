import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { MEASURE_BYTES, MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { errorCodes, type FastifyInstance } from 'fastify';
import { sendRefusal } from './routes.ts';

/** Maximum concurrent measurements per process: each may fill a line. */
const MOST = 8;
/**
 * Maximum duration in ms, so that slow readers do not block measurements for hours (S69). A page
 * needs 6 seconds.
 */
const LONGEST_MS = 30_000;
const PIECE = 64 * 1024;

/** Random bytes, which cannot be compressed on the way. */
function* pieces(): Generator<Buffer> {
  const piece = randomBytes(PIECE);
  for (let sent = 0; sent < MEASURE_BYTES; sent += PIECE) yield piece;
}

/** Discards the body. @throws a refusal if it exceeds the size of a measurement */
async function drain(payload: AsyncIterable<Buffer>): Promise<void> {
  let size = 0;
  for await (const piece of payload) {
    size += piece.length;
    if (size > MEASURE_BYTES) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  }
}

/**
 * Sends and receives the bytes of a bandwidth measurement. A request without a ticket is refused
 * before its body is read. A ticket has one measurement at a time: a new one ends the previous one,
 * which its page has given up.
 * @param fits whether a ticket was issued to the client's address
 */
export async function serveMeasure(
  app: FastifyInstance,
  fits: (ticket: string, ip: string) => boolean,
): Promise<void> {
  const running = new Map<string, ServerResponse>();
  await app.register(async measure => {
    measure.addHook('onRequest', async (request, reply) => {
      const { ticket } = request.query as { ticket?: unknown };
      if (typeof ticket !== 'string' || !fits(ticket, request.ip))
        return sendRefusal(reply, { refusal: 'tokenInvalid' });
      running.get(ticket)?.destroy();
      running.delete(ticket);
      if (running.size >= MOST)
        return sendRefusal(reply, { refusal: 'tooManyRequests', retryAfterSeconds: 10 });
      const { raw } = reply;
      running.set(ticket, raw);
      const late = setTimeout(() => raw.destroy(), LONGEST_MS);
      raw.once('close', () => {
        clearTimeout(late);
        if (running.get(ticket) === raw) running.delete(ticket);
      });
      reply.header('cache-control', 'no-store');
    });
    measure.removeAllContentTypeParsers();
    // Not parsed as a body, because hooks of all routes inspect bodies.
    measure.addContentTypeParser('application/octet-stream', async (_request: unknown, payload: Readable) =>
      drain(payload),
    );
    measure.get(MEASURE_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply
        .type('application/octet-stream')
        .header('content-length', MEASURE_BYTES)
        .send(Readable.from(pieces(), { objectMode: false })),
    );
    measure.post(MEASURE_PATH, { schema: { hide: true } }, async (_request, reply) =>
      reply.status(204).send(),
    );
  });
}
