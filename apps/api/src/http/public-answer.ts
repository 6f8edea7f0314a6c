import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer as it goes out: plain as text, which is sent in one piece with its headers; compressed at the first request. */
type Bytes = { plain: string; br?: Promise<Buffer>; gzip?: Promise<Buffer> };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** In characters; less fits into one packet anyway. */
const LEAST = 1024;
/** Each answer is compressed once: it may take its time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = {
  br: (plain: string) => brotli(plain, brotliOptions),
  gzip: (plain: string) => gzipped(plain),
};

const made = new WeakMap<object, Bytes>();

/**
 * Sends what is the same for everybody, as bytes that are made and compressed once for each answer. Only such an answer is
 * ever compressed: the length of one that holds a secret beside something an attacker chose would tell the secret
 * (BREACH).
 * @param answer the same object for the same answer: its bytes live as long as it does
 */
export async function sendPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
  serialise: () => string,
): Promise<FastifyReply> {
  let bytes = made.get(answer);
  if (!bytes) {
    bytes = { plain: serialise() };
    made.set(answer, bytes);
  }
  reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
  if (bytes.plain.length < LEAST) return reply.send(bytes.plain);
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const encoding = negotiate(accepted, ['br', 'gzip']);
  if (!encoding) return reply.send(bytes.plain);
  bytes[encoding] ??= compress[encoding](bytes.plain);
  return reply.header('content-encoding', encoding).send(await bytes[encoding]);
}
