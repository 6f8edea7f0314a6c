import { DEFAULT_LANGUAGE, isLanguage } from '@fixpoint/contract/languages.ts';
import { wayBackPath, waysBack } from '@fixpoint/contract/way-back.ts';
import type { FastifyInstance } from 'fastify';

/**
 * Where a provider's own page leads back to: on to the order page, without what the provider has added. The page knows
 * whose order it is; who comes back in another browser is told to look at his mail, in the language that is remembered.
 */
export function serveWayBack(app: FastifyInstance): void {
  for (const way of waysBack) {
    app.get(wayBackPath(way), { schema: { hide: true } }, async (request, reply) => {
      const remembered = /(?:^|;\s*)i18n_redirected=([a-z]{2})(?:;|$)/.exec(
        request.headers.cookie ?? '',
      )?.[1];
      const language = isLanguage(remembered) ? remembered : DEFAULT_LANGUAGE;
      return reply.header('cache-control', 'no-store').redirect(`/#/${language}/order?back=${way}`, 302);
    });
  }
}
