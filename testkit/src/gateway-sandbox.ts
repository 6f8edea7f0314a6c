import type { Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';
import { startInbox } from './inbox.ts';
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
 * @param lists where the provider looks for things by our names, if it can be late there
 */
export async function sandboxDriver(
  provider: 'stripe' | 'paypal' | 'btcpay',
  paths: Partial<Record<GatewayCall, string>>,
  lists?: string,
) {
  const clock = manualClock();
  const inbox = await startInbox();
  const sandbox = await startTestSandbox({ shopUrl: inbox.url, clock });
  const driver = {
    async break(call, how) {
      const path = paths[call];
      if (!path) throw new Error(`There is no ${call} at ${provider}`);
      await sandbox.fault({ provider, path }, FAULTS[how], OFTEN);
    },
    ...(lists && {
      hide: async () => void (await sandbox.fault({ provider, list: lists }, { late: 60_000 }, OFTEN)),
    }),
    calm: async () => void (await sandbox.calm()),
    advance: clock.advance,
    deliveries: inbox.deliveries,
    async stop() {
      await sandbox.stop();
      await inbox.stop();
    },
  } satisfies Partial<GatewayDriver>;
  return { sandbox, clock, shopUrl: inbox.url, driver };
}
