import { createServer, request } from 'node:http';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * `front.ts ADDRESS PORT SOCKET` is a reverse proxy for a shop on the internet of a region. Sets `x-forwarded-for` and reaches
 * the shop by a Unix socket, because no network leads out of a region.
 */
const [address, port, socketPath] = process.argv.slice(2);

const front = createServer((call, answer) => {
  const headers = { ...call.headers, 'x-forwarded-for': call.socket.remoteAddress };
  const passed = request({ socketPath: socketPath!, method: call.method, path: call.url, headers }, shop => {
    answer.writeHead(shop.statusCode!, shop.headers);
    shop.pipe(answer);
  });
  passed.once('error', () => answer.destroy());
  answer.once('close', () => passed.destroy());
  call.pipe(passed);
});
exitWithParent(async () => {
  front.close();
  front.closeAllConnections();
});
front.listen(Number(port), address, () => process.send?.('ready'));
