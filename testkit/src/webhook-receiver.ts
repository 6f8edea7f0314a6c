import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from './gateway-driver.ts';

/** Receives webhooks in place of a shop, and records them unchanged. */
export async function startWebhookReceiver(): Promise<{
  url: string;
  deliveries(): readonly Delivery[];
  stop(): Promise<void>;
}> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.end();
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries: () => deliveries,
    stop: async () => {
      await new Promise(done => server.close(done));
    },
  };
}
