import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Compressed, encodingOf, sendEncoded } from './compressed.ts';

/** Minimum length for compression; shorter texts fit into one packet anyway. */
const LEAST = 1024;

const made = new WeakMap<object, Compressed>();

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
  return sendEncoded(reply, bytes, bytes.plain.length < LEAST ? undefined : encodingOf(request));
}
