import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropConnection, truncate } from '../control/broken-answers.ts';
import type { ApiAction, Faults } from '../control/faults.ts';
import { sameSecret } from '../secret.ts';
import { balanceEndpoints } from './api/balance.ts';
import { customerEndpoints } from './api/customers.ts';
import type { Endpoint } from './api/endpoint.ts';
import { moneyBackEndpoints } from './api/money-back.ts';
import { paymentIntentEndpoints } from './api/payment-intents.ts';
import { paymentMethodEndpoints } from './api/payment-methods.ts';
import { recordEndpoints } from './api/records.ts';
import { setupIntentEndpoints } from './api/setup-intents.ts';
import { apiFault, keyRefusal, lacksRight, StripeRefusal } from './errors.ts';
import { decodeForm, type Form } from './form.ts';
import { type Answer, createIdempotency } from './idempotency.ts';
import { createLocks, type Locks, objectsOf } from './locks.ts';
import { API_VERSION, type StripeState } from './state.ts';

const endpoints: Endpoint[] = [
  ...customerEndpoints,
  ...paymentMethodEndpoints,
  ...paymentIntentEndpoints,
  ...setupIntentEndpoints,
  ...moneyBackEndpoints,
  ...balanceEndpoints,
  ...recordEndpoints,
];

/** Context of the API besides the account. */
export type ApiContext = {
  state: StripeState;
  faults: Faults;
  secretKey: string;
  publishableKey: string;
  /** Receives every answer; tests check them against Stripe's types. */
  onAnswer?: (answer: { status: number; body: object; publishable: boolean }) => void;
};

/** Mounts `/v1/*` with Stripe's keys, idempotency, faults, errors and headers. */
export function mountStripeApi(app: FastifyInstance, context: ApiContext): void {
  const idempotency = createIdempotency(context.state.store, context.state.clock);
  const locks = createLocks(context.state);

  app.register(async api => {
    api.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, body),
    );
    api.setErrorHandler<Error & { statusCode?: number }>((error, _, reply) => {
      const status = error.statusCode ?? 500;
      // Prints errors of the sandbox itself, which must not look like the provider's.
      if (status >= 500) process.stderr.write(`${error.stack}\n`);
      const type = status >= 500 ? 'api_error' : 'invalid_request_error';
      return reply.status(status).send({ error: { type, message: error.message } });
    });
    api.addHook('onRequest', async (_, reply) => {
      reply.header('access-control-allow-origin', '*');
      reply.header('access-control-expose-headers', 'Request-Id');
    });
    api.options('/v1/*', async (_, reply) =>
      reply
        .header('access-control-allow-methods', 'GET, POST')
        .header(
          'access-control-allow-headers',
          'authorization, content-type, idempotency-key, stripe-version',
        )
        .header('access-control-max-age', '600')
        .status(204)
        .send(),
    );
    for (const endpoint of endpoints) {
      api.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => answerCall(context, idempotency, locks, endpoint, request, reply),
      });
    }
    api.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/v1/*',
      handler: async (request, reply) =>
        reply.status(404).send({
          error: {
            message: `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}). Please see https://docs.stripe.com or we can help at https://support.stripe.com/.`,
            type: 'invalid_request_error',
          },
        }),
    });
  });
}

async function answerCall(
  context: ApiContext,
  idempotency: ReturnType<typeof createIdempotency>,
  locks: Locks,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const path = request.url.split('?')[0]!;
  const rawBody = (request.body as string | undefined) ?? '';
  const requestId = context.state.ids.next('req_', 14);
  const key =
    request.method === 'POST' ? (request.headers['idempotency-key'] as string | undefined) : undefined;
  reply
    .header('request-id', requestId)
    .header('stripe-version', API_VERSION)
    .header('cache-control', 'no-store');
  if (key) reply.header('idempotency-key', key);

  let fault: ApiAction | undefined;
  let answer: Answer;
  try {
    const form = decodeForm(request.method === 'POST' ? rawBody : (request.url.split('?')[1] ?? ''));
    const publishable = authenticate(context, request, form);
    fault = context.faults.takeApi('stripe', request.method, path);
    if (fault === 'hang') return reply.hijack();
    if (fault === 'drop') return dropConnection(reply);
    if (fault === '403') throw lacksRight(context.secretKey);
    if (fault === '429' || fault === '409') throw apiFault(Number(fault) as 429 | 409);

    const before = key && idempotency.begin(key, path, rawBody);
    if (before) {
      reply.header('idempotent-replayed', 'true').header('original-request', before.request);
      answer = before;
    } else {
      let saved: Answer | undefined;
      const id = (request.params as { id?: string }).id ?? '';
      const changed = request.method === 'GET' ? [] : objectsOf(context.state, id, form);
      try {
        locks.take(changed);
        try {
          if (typeof fault === 'object' && 'delayBefore' in fault) await sleep(fault.delayBefore);
          const cause = { request: requestId, idempotencyKey: key ?? null };
          const result = run(context, endpoint, { publishable, form, id, path, cause }, fault);
          answer = { status: result.status, body: JSON.stringify(result.body, null, 2), request: requestId };
          if (result.saved) saved = answer;
        } finally {
          locks.release(changed);
        }
      } finally {
        if (key) idempotency.end(key, path, rawBody, saved);
      }
    }
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    // The SDK retries a lock timeout because of this header (`_shouldRetry` of its RequestSender).
    if (error.body.code === 'lock_timeout') reply.header('stripe-should-retry', 'true');
    answer = {
      status: error.status,
      body: JSON.stringify({ error: error.body }, null, 2),
      request: requestId,
    };
  }
  if (fault === 'commitThenDropConnection') return dropConnection(reply);
  if (typeof fault === 'object' && 'delayAfterCommit' in fault) await sleep(fault.delayAfterCommit);
  reply.status(answer.status).type('application/json');
  return fault === 'truncateBody' ? truncate(reply, answer.body) : reply.send(answer.body);
}

function run(
  { state, faults, onAnswer }: ApiContext,
  endpoint: Endpoint,
  call: {
    publishable: boolean;
    form: Form;
    id: string;
    path: string;
    cause: { request: string; idempotencyKey: string | null };
  },
  fault: ApiAction | undefined,
): { status: number; body: object; saved: boolean } {
  try {
    if (fault === '500') throw apiFault(500);
    const { cause, publishable, path } = call;
    const listLag = () => faults.takeList('stripe', path)?.late ?? 0;
    const body = endpoint.run({ state, cause, publishable, path, listLag }, call.form, call.id) as object;
    if (fault === '500AfterCommit') throw apiFault(500);
    onAnswer?.({ status: 200, body, publishable: call.publishable });
    return { status: 200, body, saved: true };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    onAnswer?.({ status: error.status, body: { error: error.body }, publishable: call.publishable });
    return { status: error.status, body: { error: error.body }, saved: error.saved };
  }
}

/** Checks the key (header, or `key` in the form as browsers send it); true for the publishable one. */
function authenticate(context: ApiContext, request: FastifyRequest, form: Form): boolean {
  const header = request.headers.authorization;
  const basic = header?.startsWith('Basic ')
    ? Buffer.from(header.slice(6), 'base64').toString().replace(/:.*$/, '')
    : undefined;
  const given = basic ?? header?.replace(/^Bearer /, '') ?? form.key;
  delete form.key;
  if (typeof given !== 'string' || !given) {
    throw keyRefusal(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://docs.stripe.com/api#authentication for details, or we can help at https://support.stripe.com/.",
    );
  }
  if (sameSecret(given, context.secretKey)) return false;
  if (sameSecret(given, context.publishableKey)) return true;
  throw keyRefusal(401, `Invalid API Key provided: ${given.slice(0, 8)}${'*'.repeat(8)}${given.slice(-4)}`);
}
