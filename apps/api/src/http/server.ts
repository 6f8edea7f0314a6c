import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import { errors } from '@fixpoint/contract/errors.ts';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { newCorrelation } from '../crypto/secrets.ts';
import { NamedFault, refuse, refuseFields } from '../kernel/refusal.ts';
import { isDatabaseGone } from './database-gone.ts';
import { sendRefusal } from './routes.ts';

/** In bytes; the longest body that a page sends, a passkey's, has some 4 KB. To read and check what is longer takes longer. */
const BODY_LIMIT = 16 * 1024;
/** How long a request may take to arrive, and how often it is looked at, in ms. */
const PATIENCE = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };

const isDecodable = (url: string): boolean => {
  try {
    decodeURI(url);
    return true;
  } catch {
    return false;
  }
};

/** PostgreSQL holds no NUL in a text, and no field of ours has one: it is a mistake of who sends it, not our fault (S59). */
function holdsNul(given: unknown): boolean {
  const left = [given];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (value && typeof value === 'object' && !ArrayBuffer.isView(value))
      for (const item of Object.values(value)) left.push(item);
  }
  return false;
}

/**
 * The HTTP server without its routes: limits, time-outs, validation answers and the last-resort handler (E2, E8, S62,
 * S68, S69).
 */
export async function createServer(
  log: Logger | false,
  trustProxy: string[] = [],
  maxEventLoopDelay = 1_000,
  patience = PATIENCE,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log || undefined,
    // Requests are not logged: their addresses and URLs are nobody's business (S82).
    logController: new LogController({ disableRequestLogging: true }),
    // Only these may say whose request they pass on (S70).
    trustProxy: trustProxy.length > 0 && trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: patience.requestTimeout,
    connectionTimeout: 60_000,
    http: patience,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // An address that cannot be decoded would be answered before any hook, without the security headers.
    rewriteUrl: ({ url = '/' }: { url?: string }) => (isDecodable(url) ? url : '/not-an-address'),
    genReqId: newCorrelation,
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;

  // A form that another site posts can only be text/plain or form-encoded: neither is ever parsed (S25).
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => data => JSON.stringify(data));
  await app.register(cookie);
  // Where the loop was held for the whole of a look, that takes it as held without end: no look may be shorter than what is
  // borne.
  const sampleInterval = Math.max(1_000, maxEventLoopDelay);
  await app.register(underPressure, { maxEventLoopDelay, sampleInterval, exposeStatusRoute: false });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fixpoint',
        version: '1',
        description: 'Every answer is `{code, data?, message?, token?}`; success is code `0000`.',
      },
      components: {
        securitySchemes: {
          customer: { type: 'http', scheme: 'bearer', description: 'Access token of a logged-in customer' },
          any: { type: 'http', scheme: 'bearer', description: 'Optional access token' },
          link: { type: 'http', scheme: 'bearer', description: 'Token of a mailed link' },
        },
      },
    },
    transform: jsonSchemaTransform,
  });

  // After the validation, which names the field where the field's own rule refuses it.
  app.addHook('preHandler', ({ body, query, params }, reply, done) => {
    if (!holdsNul([body, query, params])) return done();
    sendRefusal(reply, refuseFields({ body: 'form.invalid' }));
  });
  app.setErrorHandler((error, request, reply) => {
    if (hasZodFastifySchemaValidationErrors(error)) {
      const fields: Record<string, string> = {};
      for (const issue of error.validation) {
        const field = issue.instancePath.split('/').filter(Boolean).join('.');
        const message = issue.message ?? '';
        // Messages of our own rules are text keys; those of the library are English and stay in the house.
        fields[field || 'body'] ??= /^form\.[\w.]+$/.test(message) ? message : 'form.invalid';
      }
      const password = fields.password === 'form.password.rule';
      return sendRefusal(reply, refuseFields(fields, password ? 'passwordCondition' : 'validationFailed'));
    }
    if (error instanceof NamedFault) {
      request.log.warn({ err: error.cause ?? error, fault: error.fault }, 'fault');
      return sendRefusal(reply, refuse(error.fault));
    }
    // Only the server's own refusals (body too large, no JSON …): a provider's error has a statusCode too.
    const { statusCode, code } = error as { statusCode?: number; code?: string };
    const status = code?.startsWith('FST_') ? statusCode : undefined;
    if (status === 503) return sendRefusal(reply, { refusal: 'databaseUnreachable', retryAfterSeconds: 5 });
    if (status !== undefined && status >= 400 && status < 500) {
      return reply.status(status).send({ code: errors.validationFailed.code, message: 'request refused' });
    }
    // Whoever asked hung up in the middle: nobody reads an answer, and nothing of ours is at fault.
    if (request.raw.errored === error) return reply.status(400).send();
    if (isDatabaseGone(error)) {
      request.log.error({ err: error }, 'database unreachable');
      return sendRefusal(reply, { refusal: 'databaseUnreachable', retryAfterSeconds: 5 });
    }
    request.log.error({ err: error, route: request.routeOptions.url }, 'unexpected');
    return sendRefusal(reply, refuse('unexpected', { ref: request.id }));
  });
  return app;
}
