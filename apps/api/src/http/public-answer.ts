import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer as it goes out: plain, and compressed as soon as somebody takes it so. */
type Bytes = { plain: Buffer; br?: Promise<Buffer>; gzip?: Promise<Buffer> };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** In bytes; less fits into one packet anyway. */
const LEAST = 1024;
/** Each answer is compressed once: it may take its time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = {
  br: (plain: Buffer) => brotli(plain, brotliOptions),
  gzip: (plain: Buffer) => gzipped(plain),
};

const made = new WeakMap<object, Bytes>();

/** Whether a client takes an encoding; `br;q=0` says that it does not. */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some(part => {
    const [name, ...parameters] = part.split(';').map(word => word.trim().toLowerCase());
    return name === encoding && !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter));
  });

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
    bytes = { plain: Buffer.from(serialise()) };
    made.set(answer, bytes);
  }
  reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
  if (bytes.plain.length < LEAST) return reply.send(bytes.plain);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find(each => accepts(accepted, each));
  if (!encoding) return reply.send(bytes.plain);
  bytes[encoding] ??= compress[encoding](bytes.plain);
  return reply.header('content-encoding', encoding).send(await bytes[encoding]);
}
