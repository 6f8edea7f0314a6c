import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';

/**
 * A canary's work in its tunnel: resolves a name and sends it to a server. One connection is still
 * open when it reports `done`, like that of a web page when its device disconnects. Arguments:
 * resolver, name, address and port of the server.
 */
const [resolver = '', name = '', host = '', port = ''] = process.argv.slice(2);
const names = new Resolver({ timeout: 300, tries: 1 });
names.setServers([resolver]);
// No answer is needed: a logging resolver records the question.
await names.resolve4(name).catch(() => undefined);
const call = () => connect({ host, port: Number(port) }).on('error', () => undefined);
const socket = call();
await new Promise<void>(resolve => {
  socket.once('close', () => resolve());
  socket.resume();
  socket.end(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
});
call().once('connect', () => process.stdout.write('done\n'));
