import { buyAsVisitor, emailTo, logInByEmail } from '@fixpoint/testkit/buyer.ts';
import { startFakeHost } from '@fixpoint/testkit/fake-host.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';

/**
 * Runs in the network of a booted machine: the sandbox, and a visitor who buys. Sends the settings of the shop to its parent,
 * and after each message what the visitor got.
 */
const url = 'http://127.0.0.1:8080';
const sandbox = await startTestSandbox({ shopUrl: url });
const place = { url, sandboxUrl: sandbox.url };

async function buy(email: string): Promise<{ receipt: string[]; subscriptions: number }> {
  await buyAsVisitor(place, email);
  const { client } = await logInByEmail(place, email);
  const { data } = await client.subscription.mySubscription({ body: {} });
  const { Attachments } = await emailTo(place, email, /receipt/i);
  return { receipt: Attachments.map(({ ContentType }) => ContentType), subscriptions: data!.items.length };
}

/** How many of some answers, one after another for a time, were not the page of health. */
async function refused(ms: number): Promise<{ asked: number; refused: number; slowest: number }> {
  const end = performance.now() + ms;
  const found = { asked: 0, refused: 0, slowest: 0 };
  while (performance.now() < end) {
    const since = performance.now();
    const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).catch(() => undefined);
    await answer?.body?.cancel();
    found.asked += 1;
    if (!answer?.ok) found.refused += 1;
    found.slowest = Math.max(found.slowest, performance.now() - since);
  }
  return found;
}

/** Starts the host that a token belongs to. The buyer's email waits for a tunnel. */
async function serve(token: string): Promise<object> {
  await startFakeHost({ host: '127.0.0.1', port: 8443 }, token);
  return {};
}

type Asked = { buy?: string; watch?: number; serve?: string };
process.on('message', (asked: Asked) => {
  const work: Promise<object> = asked.buy
    ? buy(asked.buy)
    : asked.serve
      ? serve(asked.serve)
      : refused(asked.watch ?? 0);
  work.then(
    answer => process.send?.(answer),
    (error: Error) => process.send?.({ error: error.stack }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.(sandbox.settings);
