import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * Connects to an address and port and sends the time every 20 ms. Reports its start to its parent,
 * then every answer with the time that it echoes: the arrival time says nothing on a busy machine.
 * Arguments: tcp or udp, address, port.
 */
const [protocol, address = '', port] = process.argv.slice(2);
exitWithParent(async () => process.exit());
process.send?.('begins');
function report(heard: Buffer): void {
  const [name, address, asked] = heard.toString().trim().split('\n').at(-1)!.split(' ');
  process.send?.({ answer: `${name} ${address}`, askedAt: Number(asked) });
}
const question = () => `${Date.now()}\n`;
if (protocol === 'tcp') {
  const socket = connect({ host: address, port: Number(port) });
  socket.on('data', report).on('error', () => undefined);
  setInterval(() => socket.write(question()), 20);
} else {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', report).on('error', () => undefined);
  setInterval(() => socket.send(question(), Number(port), address, () => undefined), 20);
}
