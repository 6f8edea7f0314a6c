import { beginOrder, confirmCard, logInByMail, mailTo, until } from '../packages/testkit/src/buyer.ts';
import { createClient } from '../packages/testkit/src/client.ts';
import { startStack } from './stack/stack.ts';

const stack = await startStack({ dataDir: '/tmp/fp-smoke', region: true, show: l => console.log('|', l) });
console.log(stack.url, stack.region);
try {
  const place = { url: stack.url, sandboxUrl: stack.sandbox!.url };
  const c = createClient(stack.url);
  const email = `smoke${Date.now()}@example.com`;
  const { consent, metadata } = await beginOrder(c);
  const t0 = performance.now();
  const p = await c.order.purchase({ body: { ...consent, email, language: 'en' } });
  console.log('purchase', performance.now() - t0, JSON.stringify(p).slice(0, 300));
  const r = await confirmCard(place, p.data!.payment!.clientSecret!);
  console.log('confirm', performance.now() - t0, r.status, r.body.status);
  const conf = await c.order.confirmPurchase({ body: { metadata } });
  console.log('confirmPurchase', performance.now() - t0, conf.code, conf.data?.status);
  const d = await until(
    async () => {
      const d = await c.order.purchaseData({ body: { metadata } });
      return d.data?.subscription?.status === 'active' && d;
    },
    'active',
    10000,
  );
  console.log('active', performance.now() - t0, JSON.stringify(d.data));
  const { client } = await logInByMail(place, email);
  console.log('login', performance.now() - t0);
  const sub = (await client.subscription.mySubscription({ body: {} })).data!.items[0]!;
  const key = await client.subscription.addKey({ body: { subscriptionId: sub.id, name: 'Laptop' } });
  const file = await client.subscription.downloadKey({
    body: { subscriptionId: sub.id, keyId: key.data!.id },
  });
  console.log('file', performance.now() - t0, file.code, file.data?.fileName, file.data?.profile.length);
  console.log((await mailTo(place, email, /receipt/i)).Text);
  (await import('node:fs')).writeFileSync('/tmp/smoke.ovpn', file.data!.profile);
  if (process.argv[2]) await new Promise(r => setTimeout(r, Number(process.argv[2]) * 1000));
} catch (e) {
  console.log(e);
} finally {
  await stack.stop();
}
