import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import { returnOutcomes, returnPath } from '@fixpoint/contract/return-path.ts';
import type { FastifyInstance } from 'fastify';

/**
 * Return path of a provider's page: redirects to the order page without the provider's parameters.
 * The page remembers its order; in another browser it tells the buyer to check their email, in the
 * remembered language.
 */
export function serveReturnPaths(app: FastifyInstance): void {
  for (const way of returnOutcomes) {
    app.get(returnPath(way), { schema: { hide: true } }, async (request, reply) => {
      const remembered = /(?:^|;\s*)i18n_redirected=([a-z]{2})(?:;|$)/.exec(
        request.headers.cookie ?? '',
      )?.[1];
      const language = languageOrDefault(remembered);
      return reply.header('cache-control', 'no-store').redirect(`/#/${language}/order?back=${way}`, 302);
    });
  }
}
