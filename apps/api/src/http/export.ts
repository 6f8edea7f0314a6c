import { Readable } from 'node:stream';
import { EXPORT_PATH } from '@fixpoint/contract/invoice-export.ts';
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './routes.ts';

/** Maximum concurrent downloads per process: each holds one document in memory. */
const MOST = 16;
/** Maximum duration in ms, so that slow readers do not block downloads for hours (S69). */
const LONGEST_MS = 10 * 60_000;

type ExportedFile = { fileName: string; type: string; content: AsyncIterable<Buffer> };

/**
 * Streams a year of invoices to the browser, which saves it.
 * @param open the file of a ticket; undefined if the ticket was not issued to the client's address
 */
export function serveExports(
  app: FastifyInstance,
  open: (ticket: string, ip: string) => Promise<ExportedFile | undefined>,
): void {
  let running = 0;
  app.get(EXPORT_PATH, { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { ticket } = request.query as { ticket?: unknown };
    const file = typeof ticket === 'string' ? await open(ticket, request.ip) : undefined;
    if (!file) return sendRefusal(reply, { refusal: 'tokenInvalid' });
    if (running >= MOST) return sendRefusal(reply, { refusal: 'tooManyRequests', retryAfterSeconds: 10 });
    running += 1;
    const late = setTimeout(() => reply.raw.destroy(), LONGEST_MS);
    reply.raw.once('close', () => {
      clearTimeout(late);
      running -= 1;
    });
    return reply
      .type(file.type)
      .header('content-disposition', `attachment; filename="${file.fileName}"`)
      .send(Readable.from(file.content, { objectMode: false }));
  });
}
