import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@fixpoint/dev-stack/stack.ts';
import { givenLargeAccount } from '@fixpoint/testkit/given/large-account.ts';
import pg from 'pg';
import { advanceClock } from './advance-clock.ts';
import { setTestStack, testStack } from './env.ts';
import { startHostWithoutTunnels } from './host-without-tunnels.ts';
import { PASSWORD } from './screens/account.ts';
import { stopAndSearch } from './searched-stop.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Starts a stack for journeys that advance the clock; on the shared stack that would end what other journeys have begun.
 * It is the stack under test until it is stopped.
 */
export async function startOwnStack() {
  const shared = testStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-time-'));
  const stack = await startStack({
    dataDir,
    durable: false,
    env: {
      SEED: 'demo',
      LIMITS_SCALE: '1000',
      HUMAN_CHECK_COST: '100',
      LOG_LEVEL: 'debug',
      MAX_EVENT_LOOP_DELAY: '60000',
      WITHDRAWAL: 'DE:days,FR:full',
    },
  });
  const host = await startHostWithoutTunnels(stack, dataDir);
  const { url: sandboxUrl, token: controlToken } = stack.sandbox!;
  setTestStack({ url: stack.publicUrl, sandboxUrl, controlToken });
  const asOwner = async (work: (owner: pg.Client) => Promise<unknown>): Promise<void> => {
    const owner = new pg.Client(stack.databaseUrls.owner);
    await owner.connect();
    await work(owner).finally(() => owner.end());
  };
  return {
    /** Gives the customer of a subscription `count` of them, with their invoices. */
    multiply: (subscriptionId: string, count: number, invoicesEach: number) =>
      asOwner(owner =>
        givenLargeAccount(async (text, values) => (await owner.query(text, [...values])).rows, {
          subscriptionId,
          count,
          invoicesEach,
        }),
      ),
    /** Makes each login an hour old: sessions do not follow the shop clock. */
    ageLogins: () =>
      asOwner(owner => owner.query(`update session set confirmed_at = confirmed_at - interval '1 hour'`)),
    advance: (days: number) => advanceClock({ url: stack.url, controlToken }, days * DAY_MS),
    async stop(): Promise<void> {
      setTestStack(shared);
      await host.stop();
      await stopAndSearch(stack, dataDir, [PASSWORD]);
    },
  };
}
