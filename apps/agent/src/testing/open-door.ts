import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * A device's program at some ports of TCP and UDP: to whatever it hears it answers its own name and the address of who has
 * called. Arguments: name, ports.
 */
const [name, ...ports] = process.argv.slice(2);
const answerTo = (address: string) => `${name} ${address.replace(/^::ffff:/, '')}\n`;
exitWithParent(async () => process.exit());
for (const port of ports.map(Number)) {
  createServer(socket => {
    socket.on('data', () => socket.write(answerTo(socket.remoteAddress!))).on('error', () => undefined);
  }).listen(port, '::');
  const socket = createSocket('udp6');
  socket.on('message', (_, from) => socket.send(answerTo(from.address), from.port, from.address)).bind(port);
}
