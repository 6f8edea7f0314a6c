import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';

/**
 * What a canary does through its tunnel: asks a resolver for a name, and sends a server that name. A connection is open still
 * when it says that it is done, as one of a page that is looked at while its device leaves. Arguments: resolver, name,
 * address and port of the server.
 */
const [resolver = '', name = '', host = '', port = ''] = process.argv.slice(2);
const names = new Resolver({ timeout: 300, tries: 1 });
names.setServers([resolver]);
// Nobody needs to answer: who logs writes down what was asked.
await names.resolve4(name).catch(() => undefined);
const call = () => connect({ host, port: Number(port) }).on('error', () => undefined);
const socket = call();
await new Promise<void>(resolve => {
  socket.once('close', () => resolve());
  socket.resume();
  socket.end(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
});
call().once('connect', () => process.stdout.write('done\n'));
