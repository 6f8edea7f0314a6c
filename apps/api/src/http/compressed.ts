import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip';
/** A public text, and its compressed forms after the first request for each. */
export type Compressed = { plain: string } & Partial<Record<Encoding, Promise<Buffer>>>;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** High quality, because each text is compressed once. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = {
  br: (plain: string) => brotli(plain, brotliOptions),
  gzip: (plain: string) => gzipped(plain),
};

/** The best encoding that a request accepts; undefined for none. */
export function encodingOf({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase();
  return (negotiate(accepted, ['br', 'gzip']) as Encoding | null) ?? undefined;
}

/** Sends a text in an encoding. */
export async function sendEncoded(
  reply: FastifyReply,
  text: Compressed,
  encoding: Encoding | undefined,
): Promise<FastifyReply> {
  if (!encoding) return reply.send(text.plain);
  text[encoding] ??= compress[encoding](text.plain);
  return reply.header('content-encoding', encoding).send(await text[encoding]);
}
