import { createHash } from 'node:crypto';
import pg from 'pg';
import { connectCustomer } from '../apps/sandbox/src/internet/customer.ts';
import { beginOrder, confirmCard, logInByMail, until } from '../packages/testkit/src/buyer.ts';
import { createClient } from '../packages/testkit/src/client.ts';
import { startStack } from './stack/stack.ts';

const stack = await startStack({ dataDir: '/tmp/fp-smoke', region: true });
const id = createHash('sha256').update('/tmp/fp-smoke').digest('hex').slice(0, 6);
try {
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  const c = createClient(stack.url);
  for (let i = 0; i < 6; i++) {
    const email = `lat${Date.now()}@example.com`;
    const { consent, metadata } = await beginOrder(c);
    const t0 = performance.now();
    const marks: string[] = [];
    const mark = (n: string) => marks.push(`${n} ${(performance.now() - t0).toFixed(0)}`);
    const p = await c.order.purchase({ body: { ...consent, email, language: 'en' } });
    mark('purchase');
    await confirmCard(place, p.data!.payment!.clientSecret!);
    mark('confirm');
    await c.order.confirmPurchase({ body: { metadata } });
    mark('settled');
    await until(async () => {
      const d = await c.order.purchaseData({ body: { metadata } });
      return d.data?.status === 'fulfilled' && d;
    }, 'f');
    mark('fulfilled');
    await until(async () => {
      const d = await c.order.purchaseData({ body: { metadata } });
      return d.data?.subscription?.status === 'active' && d;
    }, 'active');
    mark('active');
    const { client } = await logInByMail(place, email);
    mark('login');
    const sub = (await client.subscription.mySubscription({ body: {} })).data!.items[0]!;
    const key = await client.subscription.addKey({ body: { subscriptionId: sub.id, name: 'Laptop' } });
    mark('key');
    const file = await client.subscription.downloadKey({
      body: { subscriptionId: sub.id, keyId: key.data!.id },
    });
    mark('file');
    const cust = await connectCustomer({ region: { id }, profile: file.data!.profile });
    mark('connected');
    const seen = await cust.seenAddress();
    mark('seen ' + seen + ' ' + sub.address);
    await cust.stop();
    console.log(marks.join(' | '));
  }
} catch (e) {
  console.log(e);
} finally {
  await stack.stop();
}
