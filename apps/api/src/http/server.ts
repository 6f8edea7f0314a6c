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
import { isDatabaseGone } from '../kernel/database-gone.ts';
import { NamedFault, refuse, refuseFields } from '../kernel/refusal.ts';
import { cleanForwarded } from './client-address.ts';
import { sendRefusal } from './routes.ts';

/** In bytes. The longest body of a page, a passkey's, has about 4 KB. */
const BODY_LIMIT = 16 * 1024;
/** SQLSTATE of what waits until no node of an older version runs (migration 0053). */
const BESIDE_OLDER_NODES = 'OLDER';
/** Timeouts of requests, and the interval at which they are checked, in ms. */
const TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };

const isDecodable = (url: string): boolean => {
  try {
    decodeURI(url);
    return true;
  } catch {
    return false;
  }
};

/**
 * PostgreSQL texts cannot contain NUL, and no field needs one, so it is the client's mistake and
 * not our fault (S59).
 */
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
 * The HTTP server without routes: limits, timeouts, validation answers and error handler (E2, E8,
 * S62, S68, S69).
 */
export async function createServer(
  log: Logger | false,
  trustProxy: string[] = [],
  maxEventLoopDelay = 1_000,
  timeouts = TIMEOUTS,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log || undefined,
    // Requests are not logged, because their addresses and URLs are private (S82).
    logController: new LogController({ disableRequestLogging: true }),
    // Only these may name the client of a request (S70).
    trustProxy: trustProxy.length > 0 && trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: timeouts.requestTimeout,
    // Who was let in before a restart is still answered; who comes later waits at the socket of systemd, or is refused.
    return503OnClosing: false,
    connectionTimeout: 60_000,
    http: timeouts,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // A URL that cannot be decoded would be answered before any hook, without the security headers.
    rewriteUrl: ({ url = '/' }: { url?: string }) => (isDecodable(url) ? url : '/not-an-address'),
    genReqId: newCorrelation,
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;

  if (trustProxy.length > 0)
    app.addHook('onRequest', (request, _reply, done) => {
      cleanForwarded(request.raw);
      done();
    });
  // A form of another site can only be text/plain or form-encoded: neither is ever parsed (S25).
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => data => JSON.stringify(data));
  await app.register(cookie);
  // A sample that is delayed as a whole counts as an infinite delay, so the interval must not be
  // shorter than the tolerated delay.
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
          link: { type: 'http', scheme: 'bearer', description: 'Token of an emailed link' },
        },
      },
    },
    transform: jsonSchemaTransform,
  });

  // After validation, which names the field if the field's own rule refuses it.
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
        // Messages of our own rules are text keys; those of the library are English and are not
        // sent.
        fields[field || 'body'] ??= /^form\.[\w.]+$/.test(message) ? message : 'form.invalid';
      }
      const password = fields.password === 'form.password.rule';
      return sendRefusal(reply, refuseFields(fields, password ? 'passwordCondition' : 'validationFailed'));
    }
    if (error instanceof NamedFault) {
      request.log.warn({ err: error.cause ?? error, fault: error.fault }, 'fault');
      return sendRefusal(reply, refuse(error.fault));
    }
    // Only the server's own refusals (body too large, invalid JSON …), because errors of providers
    // have a statusCode, too.
    const { statusCode, code } = error as { statusCode?: number; code?: string };
    const status = code?.startsWith('FST_') ? statusCode : undefined;
    if (status === 503)
      return sendRefusal(reply, { refusal: 'temporarilyUnavailable', retryAfterSeconds: 5 });
    if (status !== undefined && status >= 400 && status < 500) {
      return reply.status(status).send({ code: errors.validationFailed.code, message: 'request refused' });
    }
    // The client disconnected: nobody reads an answer, and it is not our fault.
    if (request.raw.errored === error) return reply.status(400).send();
    if (isDatabaseGone(error)) {
      request.log.error({ err: error }, 'database unreachable');
      return sendRefusal(reply, { refusal: 'temporarilyUnavailable', retryAfterSeconds: 5 });
    }
    if (code === BESIDE_OLDER_NODES)
      return sendRefusal(reply, { refusal: 'temporarilyUnavailable', retryAfterSeconds: 60 });
    request.log.error({ err: error, route: request.routeOptions.url }, 'unexpected');
    return sendRefusal(reply, refuse('unexpected', { ref: request.id }));
  });
  return app;
}
