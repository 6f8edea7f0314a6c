import { createServer } from 'node:https';
import { passOn, serveParent } from './pass-on.ts';

/**
 * `public-front.ts ADDRESS PEM` is the proxy of an installed shop: it answers by TLS, and passes calls on to the port on which
 * systemd listens for the shop. PEM is the text of key and certificate.
 */
const [address, pem] = process.argv.slice(2);

serveParent(createServer({ key: pem, cert: pem }, passOn({ host: '127.0.0.1', port: 8080 })), 443, address!);
