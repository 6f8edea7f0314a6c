import type { FastifyInstance } from 'fastify';

/**
 * Refuses what another site makes a browser send (S25): a request that a browser marks as cross-site, or whose Origin
 * is not ours, never reaches a handler that writes. Clients without a browser send neither header.
 */
export function refuseForeignSites(app: FastifyInstance, origins: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    // The route, not the address: the router also takes `/%761/` for `/v1/`.
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
