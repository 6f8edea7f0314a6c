import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { MEASURE_BYTES, MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { errorCodes, type FastifyInstance } from 'fastify';
import { sendRefusal } from './mount.ts';

/** Measurements at a time in this program: each may fill a line of its own. */
const MOST = 8;
const PIECE = 64 * 1024;

/** Bytes that nobody on the way can make fewer. */
function* pieces(): Generator<Buffer> {
  const piece = randomBytes(PIECE);
  for (let sent = 0; sent < MEASURE_BYTES; sent += PIECE) yield piece;
}

/** Takes what comes and keeps nothing of it. @throws a refusal when it is more than a measurement takes */
async function drain(payload: AsyncIterable<Buffer>): Promise<void> {
  let size = 0;
  for await (const piece of payload) {
    size += piece.length;
    if (size > MEASURE_BYTES) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  }
}

/**
 * Bytes to whoever measures his line, and from him. Who has no ticket is sent away before a byte of what he sends is read
 * (FS2).
 * @param fits whether a ticket was given to whom the call comes from
 */
export async function serveMeasure(
  app: FastifyInstance,
  fits: (ticket: string, ip: string) => boolean,
): Promise<void> {
  let running = 0;
  await app.register(async measure => {
    measure.addHook('onRequest', async (request, reply) => {
      const { ticket } = request.query as { ticket?: unknown };
      if (typeof ticket !== 'string' || !fits(ticket, request.ip))
        return sendRefusal(reply, { refusal: 'tokenInvalid' });
      if (running >= MOST) return sendRefusal(reply, { refusal: 'tooManyRequests', retryAfterSeconds: 10 });
      running += 1;
      reply.raw.once('close', () => {
        running -= 1;
      });
      reply.header('cache-control', 'no-store');
    });
    measure.removeAllContentTypeParsers();
    // Not as a body: hooks of all routes look through bodies.
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
