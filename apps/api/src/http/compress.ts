import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { orderCalls } from '@fixpoint/contract/calls/order.ts';
import { textCalls } from '@fixpoint/contract/calls/text.ts';
import type { FastifyInstance } from 'fastify';

/**
 * What is the same for everybody. Nothing else is compressed: the length of an answer that holds a secret beside
 * something an attacker chose would tell the secret (BREACH).
 */
const paths = new Set<string | undefined>([
  '/config.json',
  '/openapi.json',
  textCalls.uiText.path,
  textCalls.getTerm.path,
  textCalls.getPolicy.path,
  orderCalls.getAllPlan.path,
]);
const least = 1024; // bytes; less fits into one packet anyway

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
// Quality 5: one or two milliseconds for the largest bundle of texts.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Compresses the public answers: the texts are the largest thing of a first visit after the program itself. */
export function compressPublic(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!paths.has(request.routeOptions.url) || typeof payload !== 'string') return payload;
    reply.header('vary', 'accept-encoding');
    const accepted = String(request.headers['accept-encoding'] ?? '');
    if (payload.length < least) return payload;
    if (/\bbr\b/.test(accepted)) {
      reply.header('content-encoding', 'br').removeHeader('content-length');
      return brotli(payload, brotliOptions);
    }
    if (/\bgzip\b/.test(accepted)) {
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return gzipped(payload);
    }
    return payload;
  });
}
