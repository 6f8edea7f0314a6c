import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery, Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';
import { startTestSandbox } from './sandbox.ts';
import { manualClock } from './shop.ts';

const FAULTS: Record<Failure, string> = {
  lost: 'commitThenDropConnection',
  silent: 'drop',
  garbled: 'truncateBody',
  faulty: '500',
  busy: '409',
};
/** More often than any library tries. */
const OFTEN = 100;

/**
 * The sandbox as a driver of one of its providers, with somebody who collects the webhooks: what is the same for all.
 * @param paths the calls of a gateway at that provider
 * @param lists where the provider looks for things by our names
 */
export async function sandboxDriver(
  provider: 'stripe' | 'paypal',
  paths: Partial<Record<GatewayCall, string>>,
  lists: string,
) {
  const clock = manualClock();
  const deliveries: Delivery[] = [];
  const inbox = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.end();
    });
  });
  await new Promise<void>(done => inbox.listen(0, '127.0.0.1', done));
  const shopUrl = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;
  const sandbox = await startTestSandbox({ shopUrl, clock });
  const driver = {
    async break(call, how) {
      const path = paths[call];
      if (!path) throw new Error(`There is no ${call} at ${provider}`);
      await sandbox.fault({ provider, path }, FAULTS[how], OFTEN);
    },
    hide: async () => void (await sandbox.fault({ provider, list: lists }, { late: 60_000 }, OFTEN)),
    calm: async () => void (await sandbox.calm()),
    advance: clock.advance,
    deliveries: () => deliveries,
    async stop() {
      await sandbox.stop();
      await new Promise(done => inbox.close(done));
    },
  } satisfies Partial<GatewayDriver>;
  return { sandbox, clock, shopUrl, driver };
}
