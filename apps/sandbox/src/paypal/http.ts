import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dropConnection, truncate } from '../control/broken-answers.ts';
import type { Faults } from '../control/faults.ts';
import type { OnExchange } from '../exchange.ts';
import { sameSecret } from '../secret.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { apiFault, malformed, PaypalRefusal, unauthorized } from './errors.ts';
import { createRequestIds } from './idempotency.ts';
import type { PaypalState } from './state.ts';

/** Context of the API besides the account; `onAnswer` receives accepted calls. */
export type PaypalApiContext = {
  state: PaypalState;
  faults: Faults;
  clientId: string;
  secret: string;
  onAnswer?: OnExchange;
};

type RequestIds = ReturnType<typeof createRequestIds>;

/**
 * Lifetime of an access token in seconds. It never expires here: the library uses the system clock.
 */
const TOKEN_SECONDS = 32_400;
const accessToken = (secret: string) => `A21AA${createHash('sha256').update(secret).digest('base64url')}`;

/** Mounts PayPal's REST API with its tokens, request ids, faults and errors. */
export function mountPaypalApi(app: FastifyInstance, context: PaypalApiContext): void {
  const requestIds = createRequestIds(context.state);

  app.register(async api => {
    api.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, body),
    );
    // The library declares JSON even without a body.
    api.removeContentTypeParser('application/json');
    api.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => done(null, body));
    api.post('/v1/oauth2/token', async (request, reply) => giveToken(context, request, reply));
    for (const endpoint of endpoints) {
      api.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => answerCall(context, requestIds, endpoint, request, reply),
      });
    }
  });
}

function giveToken(
  { clientId, secret, faults }: PaypalApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const fault = faults.takeApi('paypal', 'POST', '/v1/oauth2/token');
  if (fault === 'drop') return dropConnection(reply);
  if (fault === '500') return reply.status(500).send(apiFault(500).body('token'));
  const given = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
  if (!sameSecret(given, `${clientId}:${secret}`)) {
    return reply
      .status(401)
      .send({ error: 'invalid_client', error_description: 'Client Authentication failed' });
  }
  if (new URLSearchParams(String(request.body)).get('grant_type') !== 'client_credentials') {
    return reply.status(400).send({ error: 'unsupported_grant_type' });
  }
  return reply.send({
    scope:
      'https://uri.paypal.com/services/payments/payment https://uri.paypal.com/services/vault/payment-tokens/readwrite https://uri.paypal.com/services/reporting/search/read',
    access_token: accessToken(secret),
    token_type: 'Bearer',
    app_id: 'APP-SANDBOX',
    expires_in: TOKEN_SECONDS,
  });
}

async function answerCall(
  context: PaypalApiContext,
  requestIds: RequestIds,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { state, faults, secret, onAnswer } = context;
  const path = request.url.split('?')[0]!;
  const debugId = state.ids.next('', 13).toLowerCase();
  reply.header('paypal-debug-id', debugId).header('cache-control', 'no-store');
  const fault = faults.takeApi('paypal', request.method, path);
  let answer: { status: number; body: object | undefined };
  try {
    if (fault === 'hang') return reply.hijack();
    if (fault === 'drop') return dropConnection(reply);
    if (fault === '403' || fault === '429' || fault === '409' || fault === '500')
      throw apiFault(Number(fault) as 403 | 429 | 409 | 500);
    if (!sameSecret(request.headers.authorization ?? '', `Bearer ${accessToken(secret)}`))
      throw unauthorized();
    const waits = typeof fault === 'object' && 'delayBefore' in fault ? fault.delayBefore : 0;
    answer = await run(context, requestIds, endpoint, request, path, waits);
    if (fault === '500AfterCommit') throw apiFault(500);
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error;
    answer = { status: error.status, body: error.body(debugId) };
  }
  if (answer.status < 300) {
    const { method, path: called } = endpoint;
    const query = request.query as object;
    onAnswer?.({ method, path: called, query, request: bodyOf(request), ...answer });
  }
  if (fault === 'commitThenDropConnection') return dropConnection(reply);
  if (typeof fault === 'object' && 'delayAfterCommit' in fault) await sleep(fault.delayAfterCommit);
  reply.status(answer.status).type('application/json');
  const text = answer.body ? JSON.stringify(answer.body) : '';
  return fault === 'truncateBody' ? truncate(reply, text) : reply.send(text);
}

async function run(
  { state, faults }: PaypalApiContext,
  requestIds: RequestIds,
  { run: change, search, show, lifetimeMs }: Endpoint,
  request: FastifyRequest,
  path: string,
  waits: number,
): Promise<{ status: number; body: object | undefined }> {
  const id = (request.params as { id?: string }).id ?? '';
  if (search) return { status: 200, body: search(state, request.query as Record<string, string>) };
  if (!change) return { status: 200, body: show(state, id, faults.takeList('paypal', path)?.late ?? 0) };
  const body = bodyOf(request);
  if (!lifetimeMs) {
    const made = show(state, change({ state, id, body }), 0);
    return { status: made ? 201 : 204, body: made };
  }
  const requestId = request.headers['paypal-request-id'];
  if (typeof requestId !== 'string') {
    throw malformed([
      {
        field: 'PayPal-Request-Id',
        issue: 'PAYPAL_REQUEST_ID_REQUIRED',
        description: 'A PayPal-Request-Id is required if you are trying to process payment for an Order.',
      },
    ]);
  }
  const key = `${path} ${requestId}`;
  const before = requestIds.begin(key, body);
  if (before) return { status: 200, body: asPreferred(request, show(state, before, 0)) };
  let made: string | undefined;
  try {
    if (waits) await sleep(waits);
    made = change({ state, id, body });
  } finally {
    requestIds.end(key, body, made, lifetimeMs);
  }
  return { status: 201, body: asPreferred(request, show(state, made, 0)) };
}

function bodyOf(request: FastifyRequest): unknown {
  if (!request.body) return undefined;
  try {
    return JSON.parse(request.body as string);
  } catch {
    throw malformed([
      { field: '/', issue: 'MALFORMED_REQUEST_JSON', description: 'The request JSON is not well formed.' },
    ]);
  }
}

/** Returns only id, state and links, unless the full representation is requested. */
function asPreferred(request: FastifyRequest, whole: object | undefined): object | undefined {
  if (!whole || request.headers.prefer === 'return=representation') return whole;
  const { id, status, links } = whole as { id: string; status: string; links: unknown };
  return { id, status, links };
}
