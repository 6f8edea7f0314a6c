import type { Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';
import { startTestSandbox } from './sandbox.ts';
import { manualClock } from './shop.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const FAULTS: Record<Failure, string> = {
  lost: 'commitThenDropConnection',
  silent: 'drop',
  garbled: 'truncateBody',
  faulty: '500',
  busy: '409',
};
/** More often than any client library retries. */
const OFTEN = 100;

/**
 * Driver of one provider of the sandbox, with a receiver of its webhooks.
 * @param paths of the gateway's calls at that provider
 * @param lists searches of the provider by our ids, where they can lag
 */
export async function sandboxDriver(
  provider: 'stripe' | 'paypal' | 'btcpay',
  paths: Partial<Record<GatewayCall, string>>,
  lists?: string,
) {
  const clock = manualClock();
  const receiver = await startWebhookReceiver();
  const sandbox = await startTestSandbox({ shopUrl: receiver.url, clock });
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
    deliveries: receiver.deliveries,
    async stop() {
      await sandbox.stop();
      await receiver.stop();
    },
  } satisfies Partial<GatewayDriver>;
  return { sandbox, clock, shopUrl: receiver.url, driver };
}
