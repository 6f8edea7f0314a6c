import { createHash } from 'node:crypto';
import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { fillMessage } from '@fixpoint/texts/message.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Compressed, encodingOf, sendEncoded } from './compressed.ts';
import { languageOf } from './language.ts';

type Page = Compressed & { version: string };

export type DocumentOf = { brand: string; support: string; publicUrl: string };

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign]!);

/**
 * Completes the built page: language, title and `og:` tags by the operator's brand, and texts for
 * browsers without JavaScript or too old for the shop. Without text overrides, because the page must
 * be there when the database is not.
 */
export function completeDocument(
  html: string,
  language: Language,
  { brand, support, publicUrl }: DocumentOf,
): string {
  const texts = written.bundles[language];
  const say = (key: string) =>
    escapeHtml(fillMessage(texts[key] ?? written.bundles.en[key]!, language, { support }));
  const [name, title, lead] = [escapeHtml(brand), say('home.title'), say('home.lead')];
  const meta = (property: string, content: string) =>
    `<meta property="og:${property}" content="${content}" />`;
  const head = [
    `<title>${name}</title>`,
    `<meta name="description" content="${lead}" />`,
    meta('type', 'website'),
    meta('site_name', name),
    meta('title', `${title} · ${name}`),
    meta('description', lead),
    meta('url', escapeHtml(publicUrl)),
  ];
  const notice = (key: string) => `<p class="document-notice">${say(key)}</p>`;
  const notices = [
    `<noscript>${notice('app.noScript')}</noscript>`,
    `<div id="old-browser" hidden>${notice('app.oldBrowser')}</div>`,
  ];
  return html
    .replace('<html lang="en"', `<html lang="${languages[language].tag}"`)
    .replace('<!--head-->', () => head.join('\n    '))
    .replace('<!--notices-->', () => notices.join('\n    '));
}

/**
 * Sends the shop's page in the language of the request. Each variant is made and compressed once.
 * @param html the page of the build
 */
export function createDocument(html: string, of: DocumentOf) {
  const made = new Map<Language, Page>();
  const pageIn = (language: Language): Page => {
    const known = made.get(language);
    if (known) return known;
    const plain = completeDocument(html, language, of);
    const version = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    const page = { plain, version };
    made.set(language, page);
    return page;
  };
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 404 = 200,
  ): Promise<FastifyReply> => {
    const { headers } = request;
    const page = pageIn(languageOf(headers['accept-language']));
    const encoding = encodingOf(request);
    const tag = `"${page.version}${encoding ?? ''}"`;
    reply
      .header('vary', 'accept-encoding, accept-language')
      // Always revalidated, because it names the program's files. `no-transform` keeps it intact: its
      // policy contains hashes of its scripts.
      .header('cache-control', 'no-cache, no-transform');
    if (status === 200) {
      reply.header('etag', tag);
      if (headers['if-none-match']?.split(/,\s*/).includes(tag)) return reply.status(304).send();
    }
    return sendEncoded(reply.status(status).type('text/html; charset=utf-8'), page, encoding);
  };
}
