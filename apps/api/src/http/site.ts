import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { PublicConfig } from '@fixpoint/contract/config.ts';
import type { FastifyInstance } from 'fastify';
import { type Look, serveBrand } from './brand.ts';
import { createDocument } from './document.ts';
import { hashRouteOf } from './hash-route.ts';
import { sendPublic } from './public-answer.ts';

/** Serves the web client and its configuration. */
export async function serveSite(
  app: FastifyInstance,
  options: { webDir: string; config: PublicConfig; look: Look; publicUrl: string; securityText: string },
): Promise<void> {
  app.get('/config.json', { schema: { hide: true } }, (request, reply) =>
    sendPublic(request, reply.header('cache-control', 'no-cache'), options.config, () =>
      JSON.stringify(options.config),
    ),
  );
  app.get('/.well-known/change-password', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/#/en/management/my-account', 302),
  );

  // RFC 9116: contact for security reports.
  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(options.securityText),
  );

  const root = resolve(options.webDir);
  const html = await readFile(resolve(root, 'index.html'), 'utf8').catch(() => undefined);
  const { publicUrl, config } = options;
  const dress = serveBrand(app, options.look);
  const document =
    html === undefined
      ? undefined
      : createDocument(dress(html), { brand: config.BRAND_NAME, support: config.SUPPORT_EMAIL, publicUrl });
  if (!document) {
    app.get('/', { schema: { hide: true } }, async (_request, reply) =>
      reply.status(503).type('text/plain').send('The web client is not built yet: run npm start.'),
    );
  } else {
    for (const path of ['/', '/index.html'])
      app.get(path, { schema: { hide: true } }, (request, reply) => document(request, reply));
    await servePaymentPage(app, resolve(root, 'pay.html'), dress);
    await app.register(fastifyStatic, {
      root,
      preCompressed: true,
      // The build's own notes lie beside its files (S72).
      dotfiles: 'ignore',
      index: false,
      // Hashed names never change; the payment page that references them is always revalidated.
      // `no-transform` keeps it intact.
      setHeaders: (reply, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path);
        reply.header(
          'cache-control',
          hashed ? 'public, max-age=31536000, immutable' : 'no-cache, no-transform',
        );
        // The card provider's frames draw their fields in the shop's font.
        if (path.endsWith('.woff2')) {
          reply.header('access-control-allow-origin', '*');
          reply.header('cross-origin-resource-policy', 'cross-origin');
        }
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith('/v1/'))
      return reply.status(404).send({ code: '9900', message: 'no such call' });
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const route = reads ? hashRouteOf(request.url) : undefined;
    // The query of an emailed link may hold a secret.
    if (route) return reply.header('cache-control', 'no-store').redirect(route, 302);
    const wantsPage = reads && /text\/html/.test(request.headers.accept ?? '');
    if (document && wantsPage) return document(request, reply, 404);
    return reply.status(404).type('text/plain').send('Not found');
  });
}

/** The payment page in the operator's colours; the built file is served where they are those of the build. */
async function servePaymentPage(
  app: FastifyInstance,
  file: string,
  dress: (html: string) => string,
): Promise<void> {
  const html = await readFile(file, 'utf8').catch(() => '');
  const dressed = dress(html);
  if (dressed === html) return;
  app.get('/pay.html', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache, no-transform').send(dressed),
  );
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

/**
 * `/.well-known/security.txt` (RFC 9116). It expires after a year, so that an abandoned shop makes
 * no promises.
 */
export const securityText = (contact: string, publicUrl: string, startedAt: Date): string =>
  [
    `Contact: mailto:${contact}`,
    `Expires: ${new Date(startedAt.getTime() + YEAR_MS).toISOString()}`,
    'Preferred-Languages: en, th',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
