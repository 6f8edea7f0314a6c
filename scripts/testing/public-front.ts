import { request } from 'node:http';
import { createServer } from 'node:https';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';

/**
 * `public-front.ts ADDRESS PEM` is the proxy of an installed shop: it answers by TLS, and passes calls on to the port on which
 * systemd listens for the shop. PEM is the text of key and certificate.
 */
const [address, pem] = process.argv.slice(2);

const front = createServer({ key: pem, cert: pem }, (call, answer) => {
  const headers = { ...call.headers, 'x-forwarded-for': call.socket.remoteAddress };
  const shop = { host: '127.0.0.1', port: 8080, method: call.method, path: call.url, headers };
  const passed = request(shop, said => {
    answer.writeHead(said.statusCode!, said.headers);
    said.pipe(answer);
  });
  passed.once('error', () => answer.destroy());
  answer.once('close', () => passed.destroy());
  call.pipe(passed);
});
exitWithParent(async () => {
  front.close();
  front.closeAllConnections();
});
front.listen(443, address, () => process.send?.('ready'));
