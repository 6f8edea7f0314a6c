import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * Program on a device that listens on TCP and UDP ports. It answers with its name, the caller's
 * address, and the number in the last line. Arguments: name, ports.
 */
const [name, ...ports] = process.argv.slice(2);
const answerTo = (address: string, heard: Buffer) =>
  `${name} ${address.replace(/^::ffff:/, '')} ${Number(heard.toString().trim().split('\n').at(-1))}\n`;
exitWithParent(async () => process.exit());
for (const port of ports.map(Number)) {
  createServer(socket => {
    socket
      .on('data', heard => socket.write(answerTo(socket.remoteAddress!, heard)))
      .on('error', () => undefined);
  }).listen(port, '::');
  const socket = createSocket('udp6');
  socket
    .on('message', (heard, from) => socket.send(answerTo(from.address, heard), from.port, from.address))
    .bind(port);
}
