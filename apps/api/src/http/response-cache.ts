import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For so long, in ms, an answer for everybody is repeated as it was, before anything of the call is done. */
const KEPT_MS = 1_000;
/** Questions remembered at once. */
const MOST = 200;

type Whole = { headers: ReturnType<FastifyReply['getHeaders']>; body: Buffer; until: number };
const kept = new WeakMap<Server, Map<string, Whole>>();

const questionOf = ({ method, url, headers }: IncomingMessage): string =>
  `${method} ${url}\n${headers['accept-encoding']}\n${headers['accept-language']}`;

/**
 * Answers what is the same for everybody from memory, in front of everything else (FP4, FP7): to find the route, and each
 * hook, costs more than the answer. A server that closes says so by Fastify.
 */
export function repeatPublic({ server }: FastifyInstance): void {
  const answers = new Map<string, Whole>();
  kept.set(server, answers);
  const [answer] = server.listeners('request') as [RequestListener];
  server.off('request', answer).on('request', (request, response) => {
    const whole = answers.size > 0 && server.listening && answers.get(questionOf(request));
    if (!whole || whole.until < performance.now()) return answer(request, response);
    response.writeHead(200, whole.headers as Record<string, string>).end(whole.body);
  });
}

/** On the routes of such calls, after all other hooks: keeps the answer as it goes out. */
export async function keepPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  const answers = kept.get(request.server.server);
  if (!answers || reply.statusCode !== 200 || !Buffer.isBuffer(body)) return body;
  const now = performance.now();
  if (answers.size >= MOST) {
    for (const [question, { until }] of answers) if (until < now) answers.delete(question);
    if (answers.size >= MOST) answers.clear();
  }
  const headers = { ...reply.getHeaders(), 'content-length': String(body.length) };
  answers.set(questionOf(request.raw), { headers, body, until: now + KEPT_MS });
  return body;
}
