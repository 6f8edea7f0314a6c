import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer as plain text, and compressed after the first request. */
type Bytes = { plain: string; br?: Promise<Buffer>; gzip?: Promise<Buffer> };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Minimum length for compression; shorter texts fit into one packet anyway. */
const LEAST = 1024;
/** High quality, because each answer is compressed once. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = {
  br: (plain: string) => brotli(plain, brotliOptions),
  gzip: (plain: string) => gzipped(plain),
};

const made = new WeakMap<object, Bytes>();

/**
 * Sends a public answer, serialized and compressed once. Only public answers are compressed: the
 * length of one with a secret beside attacker-controlled text would reveal the secret (BREACH).
 * @param answer the same object for the same answer; its bytes live as long as the object
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
