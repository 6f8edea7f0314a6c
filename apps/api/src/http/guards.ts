import type { FastifyInstance } from 'fastify';

/**
 * Refuses cross-site requests (S25): one that a browser marks as cross-site, or whose Origin is not
 * ours, never reaches a handler that writes. Clients other than browsers send neither header.
 */
export function refuseForeignSites(app: FastifyInstance, origins: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    // The route, not the URL: the router also accepts `/%761/` for `/v1/`.
    if (
      request.method === 'GET' ||
      request.method === 'HEAD' ||
      !request.routeOptions.url?.startsWith('/v1/')
    )
      return done();
    const origin = request.headers.origin;
    const foreign =
      request.headers['sec-fetch-site'] === 'cross-site' || (origin !== undefined && !origins.has(origin));
    if (!foreign) return done();
    reply.status(403).send({ code: '8002', message: 'forbidden' });
  });
}
