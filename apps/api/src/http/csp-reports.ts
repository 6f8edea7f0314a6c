import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

export const REPORTS_PATH = '/reports/csp';
const DIRECTIVES =
  /^(default|script|style|img|font|connect|frame|manifest)-src(-elem|-attr)?$|^(form-action|base-uri|object-src|frame-ancestors|require-trusted-types-for|trusted-types)$/;

/**
 * Receives reports of violated content security policies. Only directives are counted: addresses,
 * samples and the reader's browser are neither read, stored nor logged. The first and every
 * hundredth of a kind is logged.
 */
export function countViolations(app: FastifyInstance, log: Logger): void {
  const counts = new Map<string, number>();
  void app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/reports+json', 'application/csp-report'],
      { parseAs: 'string', bodyLimit: 64 * 1024 },
      (_request, body, done) => {
        try {
          done(null, JSON.parse(body as string));
        } catch {
          done(null, undefined);
        }
      },
    );
    scope.post(REPORTS_PATH, { schema: { hide: true } }, async (request, reply) => {
      const reports = (Array.isArray(request.body) ? request.body : [request.body]).slice(0, 20);
      for (const report of reports) {
        const named = (report as { body?: { effectiveDirective?: unknown } } | null)?.body
          ?.effectiveDirective;
        if (typeof named !== 'string' || !DIRECTIVES.test(named)) continue;
        const count = (counts.get(named) ?? 0) + 1;
        counts.set(named, count);
        if (count % 100 === 1)
          log.warn({ directive: named, count }, 'a page broke its content security policy');
      }
      return reply.status(204).send();
    });
  });
}
