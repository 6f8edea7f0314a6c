import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { ADDRESSES } from './namespaces.ts';

/**
 * Internet server of the demo region: returns the caller's address and stores none. HTTP: GET /
 * (text), GET /json, GET /bytes/N, POST /sink. UDP: port 7 echoes, port 53 of the resolver knows no name.
 * Arguments: addresses to listen on, the first of IPv4.
 */
const addresses = process.argv.slice(2);

const CHUNK = Buffer.alloc(64 * 1024);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const seen = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const size = Number(request.url?.match(/^\/bytes\/(\d{1,10})$/)?.[1] ?? 0);
  if (size > 0) {
    response.writeHead(200, { 'content-length': size });
    let left = size;
    const more = () => {
      while (left > 0) {
        const part = CHUNK.subarray(0, Math.min(left, CHUNK.length));
        left -= part.length;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  } else if (request.url === '/sink') {
    request.resume();
    request.once('end', () => response.end());
  } else if (request.url === '/json') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ address: seen }));
  } else {
    response.setHeader('content-type', 'text/plain');
    response.end(`your address is ${seen}\n`);
  }
}

const servers = addresses.map(() => createServer(answer));

const echo = createSocket('udp4');
echo.on('message', (message, from) => echo.send(message, from.port, from.address));

const resolver = createSocket('udp4');
resolver.on('message', (question, from) => {
  // Turns the question into a response without an answer.
  question[2]! |= 0x80;
  resolver.send(question, from.port, from.address);
});

exitWithParent(async () => {
  for (const server of servers) server.close();
  echo.close();
  resolver.close();
});
await Promise.all([
  ...servers.map((server, n) => once(server.listen(80, addresses[n]), 'listening')),
  once(echo.bind(7, addresses[0]), 'listening'),
  once(resolver.bind(53, ADDRESSES.resolver), 'listening'),
]);
process.send?.('ready');
