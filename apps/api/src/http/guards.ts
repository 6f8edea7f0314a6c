import type { FastifyInstance } from 'fastify';

/**
 * Refuses what another site makes a browser send (S25): a request that a browser marks as cross-site, or whose Origin
 * is not ours, never reaches a handler that writes. Clients without a browser send neither header.
 */
export function refuseForeignSites(app: FastifyInstance, origins: ReadonlySet<string>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD' || !request.url.startsWith('/v1/')) return;
    const origin = request.headers.origin;
    const foreign =
      request.headers['sec-fetch-site'] === 'cross-site' || (origin !== undefined && !origins.has(origin));
    if (foreign) await reply.status(403).send({ code: '8002', message: 'forbidden' });
  });
}

/** Answers of one origin that a shop page needs beside its own: API, socket, the card provider. */
export type PageOrigins = { connect: string[]; script: string[]; frame: string[] };

/** Security headers of every answer (S64, S66). */
export function securityHeaders(app: FastifyInstance, origins: PageOrigins, secure: boolean): void {
  const list = (...sources: string[]) => [...new Set(sources)].join(' ');
  const policy = [
    "default-src 'none'",
    `script-src ${list("'self'", ...origins.script)}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${list("'self'", ...origins.connect)}`,
    `frame-src ${list(...origins.frame)}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()',
      ...(secure && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
    });
  });
}
