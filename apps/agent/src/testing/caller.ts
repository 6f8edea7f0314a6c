import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * Calls an address and port and says something every 20 ms in one connection; tells its parent that it begins, then each
 * answer. Arguments: tcp or udp, address, port.
 */
const [protocol, address = '', port] = process.argv.slice(2);
exitWithParent(async () => process.exit());
process.send?.('begins');
const tell = (answer: Buffer) => process.send?.(answer.toString().split('\n')[0]);
if (protocol === 'tcp') {
  const socket = connect({ host: address, port: Number(port) });
  socket.on('data', tell).on('error', () => undefined);
  setInterval(() => socket.write('?'), 20);
} else {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', tell).on('error', () => undefined);
  setInterval(() => socket.send('?', Number(port), address, () => undefined), 20);
}
