import { createServer } from 'node:http';
import { passOn, serveParent } from './pass-on.ts';

/**
 * `front.ts ADDRESS PORT SOCKET` is a reverse proxy for a shop on the internet of a region. Sets `x-forwarded-for` and reaches
 * the shop by a Unix socket, because no network leads out of a region.
 */
const [address, port, socketPath] = process.argv.slice(2);

serveParent(createServer(passOn({ socketPath: socketPath! })), Number(port), address!);
