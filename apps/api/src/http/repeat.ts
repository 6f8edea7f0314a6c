import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For so long, in ms, an answer for everybody is repeated as it was, before anything of the call is done. */
const KEPT_MS = 1_000;
/** Questions remembered at once. */
const MOST = 200;

type Whole = { headers: ReturnType<FastifyReply['getHeaders']>; body: Buffer; until: number };
const kept = new WeakMap<FastifyInstance, Map<string, Whole>>();

const questionOf = ({ method, url, headers }: FastifyRequest): string =>
  `${method} ${url}\n${headers['accept-encoding']}\n${headers['accept-language']}`;

/**
 * Answers what is the same for everybody from memory, in front of everything else (FP4, FP7). Before any other hook: each
 * costs more than the answer.
 */
export function repeatPublic(app: FastifyInstance): void {
  const answers = new Map<string, Whole>();
  kept.set(app, answers);
  app.addHook('onRequest', (request, reply, done) => {
    if (answers.size === 0) return done();
    const whole = answers.get(questionOf(request));
    if (!whole || whole.until < performance.now()) return done();
    reply.hijack();
    reply.raw.writeHead(200, whole.headers as Record<string, string>).end(whole.body);
  });
}

/** On the routes of such calls, after all other hooks: keeps the answer as it goes out. */
export async function keepPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  const answers = kept.get(request.server);
  if (!answers || reply.statusCode !== 200 || !Buffer.isBuffer(body)) return body;
  const now = performance.now();
  if (answers.size >= MOST) {
    for (const [question, { until }] of answers) if (until < now) answers.delete(question);
    if (answers.size >= MOST) answers.clear();
  }
  const headers = { ...reply.getHeaders(), 'content-length': String(body.length) };
  answers.set(questionOf(request), { headers, body, until: now + KEPT_MS });
  return body;
}
