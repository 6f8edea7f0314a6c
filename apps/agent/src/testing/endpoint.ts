import { connect, createServer } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * Forwards an address and port of its namespace to a unix socket: from a region's internet to a
 * shop.
 */
const [address, port, path] = process.argv.slice(2);
const server = createServer(outside => {
  const inside = connect({ path: path! });
  const end = () => {
    outside.destroy();
    inside.destroy();
  };
  for (const socket of [outside, inside]) socket.on('error', end).on('close', end);
  outside.pipe(inside).pipe(outside);
}).listen(Number(port), address);
exitWithParent(async () => void server.close());
server.once('listening', () => process.send?.('ready'));
