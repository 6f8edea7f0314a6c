import { createServer } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/** Accepts TCP connections on every address of its namespace, at the ports of its arguments. */
const servers = process.argv.slice(2).map(port => createServer(socket => socket.end()).listen(Number(port)));
exitWithParent(async () => {
  for (const server of servers) server.close();
});
await Promise.all(servers.map(server => new Promise(resolve => server.once('listening', resolve))));
process.send?.('ready');
