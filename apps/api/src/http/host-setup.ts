import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

type Served = {
  script: string;
  sha256: string;
  packages: readonly { name: string; path: string; sha256: string }[];
};

/**
 * Serves what sets a VPN host up: a script, and the packages of the agent. Each stands below its own hash, which only an
 * operator knows, so that nobody else fetches fifty megabytes at a time.
 */
export function serveHostSetup(
  app: FastifyInstance,
  path: string,
  read: () => Promise<Served | undefined>,
): void {
  app.get(`${path}/:hash/:name`, { schema: { hide: true } }, async (request, reply) => {
    const { hash, name } = request.params as { hash: string; name: string };
    const setup = await read();
    if (setup && setup.sha256 === hash && name === 'setup.sh')
      return reply.type('text/x-shellscript; charset=utf-8').send(setup.script);
    const file = setup?.packages.find(each => each.sha256 === hash && each.name === name);
    if (!file) return reply.callNotFound();
    reply.header('content-length', (await stat(file.path)).size);
    return reply.type('application/vnd.debian.binary-package').send(createReadStream(file.path));
  });
}
