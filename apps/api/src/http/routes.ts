import type { Calls, Endpoint } from '@fixpoint/contract/endpoint.ts';
import type { Envelope } from '@fixpoint/contract/envelope.ts';
import { errors, SUCCESS } from '@fixpoint/contract/errors.ts';
import { IDEMPOTENCY_KEY, idempotencyHeaders } from '@fixpoint/contract/idempotency.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AllHandlers, Caller } from '../kernel/caller.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { doneBy, type WriteDown } from './done-actions.ts';
import type { Idempotency } from './idempotency.ts';
import { sendPublic } from './public-answer.ts';

/** Identifies the caller; a refusal ends the call before its handler. */
export type Identify = (
  endpoint: Endpoint,
  request: { headers: Record<string, string | string[] | undefined>; ip: string; body?: unknown },
  reply: FastifyReply,
) => Promise<Caller | Refusal>;

/** Confines the queries of `work` to the rows of one customer, or of one member of a customer (S30). */
export type AsCaller = <T>(
  caller: { customerId: string; userId?: string | undefined },
  work: () => Promise<T>,
) => Promise<T>;

const errorAnswer = z.object({
  code: z.string(),
  message: z.string().optional(),
  data: z.unknown().optional(),
});

/** Whose rows a call is about: those of the log-in, or of the customer that the session is for. */
export const whose = ({ of }: Endpoint, { userId, customerId }: Caller): string | undefined =>
  of === 'user' ? userId : customerId;

/** Whose rows alone a call may see; undefined for the application's rights. A member sees a part of their customer's. */
function confinedTo(endpoint: Endpoint, caller: Caller) {
  const customerId = endpoint.rights === 'application' ? undefined : whose(endpoint, caller);
  if (customerId === undefined) return undefined;
  const isMember = endpoint.of !== 'user' && caller.role === 'member';
  return { customerId, ...(isMember && { userId: caller.userId }) };
}

/** Sends a refusal with the code and status of the catalogue. */
export function sendRefusal(
  reply: FastifyReply,
  { refusal, data, retryAfterSeconds }: Refusal,
): FastifyReply {
  const { code, status } = errors[refusal];
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const envelope: Envelope = { code, message: refusal, ...(data !== undefined && { data }) };
  return reply.status(status).send(envelope);
}

/**
 * Turns the contract table and its handlers into routes. The only place that builds the envelope.
 * `data` is parsed by the endpoint's schema, so answers contain only fields of the contract (S31).
 */
export function mount<C extends Calls>(
  app: FastifyInstance,
  calls: C,
  handlers: AllHandlers<C>,
  identify: Identify,
  asCaller: AsCaller,
  once: Idempotency,
  writeDown: WriteDown,
): void {
  for (const [module, group] of Object.entries(calls)) {
    for (const [name, endpoint] of Object.entries(group)) {
      if (endpoint.auth === 'customer' && !endpoint.role)
        throw new Error(`The call ${module}.${name} declares no role`);
      const handle = handlers[module]?.[name] as
        | ((input: object, caller: Caller) => Promise<unknown>)
        | undefined;
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        schema: {
          tags: [module],
          summary: endpoint.summary,
          operationId: `${module}.${name}`,
          ...(endpoint.auth !== 'visitor' && { security: [{ [endpoint.auth]: [] }] }),
          ...(endpoint.body && { body: endpoint.body }),
          ...(endpoint.query && { querystring: endpoint.query }),
          ...(endpoint.params && { params: endpoint.params }),
          ...(endpoint.once && { headers: idempotencyHeaders }),
          response: {
            200: z.object({
              code: z.literal(SUCCESS),
              data: endpoint.data,
              ...(endpoint.token && { token: z.string() }),
            }),
            '4xx': errorAnswer,
            '5xx': errorAnswer,
          },
        },
        handler: async (request, reply) => {
          reply.header('cache-control', 'no-store');
          if (!handle) return sendRefusal(reply, refuse('notBuilt'));
          const caller = await identify(endpoint, request, reply);
          if (isRefusal(caller)) return sendRefusal(reply, caller);
          const input = { body: request.body, query: request.query, params: request.params };
          const answer = () => handle(input, caller);
          const confined = confinedTo(endpoint, caller);
          const done = doneBy(endpoint, name, caller, request.body);
          const answered = async () => {
            const result = (await (confined ? asCaller(confined, answer) : answer())) as object;
            if (done && !isRefusal(result)) await writeDown(done);
            return result;
          };
          const key = request.headers[IDEMPOTENCY_KEY] as string | undefined;
          const asked = { call: `${module}.${name}`, key, caller, body: request.body };
          const result = await (endpoint.once ? once(asked, answered) : answered());
          if (isRefusal(result)) return sendRefusal(reply, result);
          return send(endpoint, request, reply, result);
        },
      });
    }
  }
}

/** Sends the handler's result, parsed by the call's schema. */
async function send(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  result: object,
): Promise<FastifyReply> {
  if (endpoint.public) {
    return sendPublic(request, reply, result, () =>
      JSON.stringify({ code: SUCCESS, data: endpoint.data.parse(result) }),
    );
  }
  if (!endpoint.token) return reply.send({ code: SUCCESS, data: endpoint.data.parse(result) });
  const { data, token } = result as { data: unknown; token: string };
  return reply.send({ code: SUCCESS, data: endpoint.data.parse(data), token });
}
