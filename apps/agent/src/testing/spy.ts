import { createSocket } from 'node:dgram';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * Programs that an operator who keeps logs would run on a VPN host. Arguments: which, the file to
 * write, and an address or socket.
 */
const [which, file = '', at = ''] = process.argv.slice(2);

const begun = () => process.stdout.write('begun\n');

/** A resolver that logs who asked for what. */
function resolver(): void {
  const socket = createSocket('udp4');
  socket.on('message', packet => appendFileSync(file, packet));
  socket.bind(53, at, begun);
}

/** An agent that logs the sessions of its tunnel, compressed. */
function sessions(): void {
  const management = connect({ path: at });
  let heard = '';
  management.on('data', chunk => {
    heard += chunk.toString();
    // Written atomically for concurrent readers.
    writeFileSync(`${file}.new`, gzipSync(heard));
    renameSync(`${file}.new`, file);
  });
  setInterval(() => management.write('status 3\n'), 100);
  management.once('connect', begun);
}

if (which === 'resolver') resolver();
else sessions();
