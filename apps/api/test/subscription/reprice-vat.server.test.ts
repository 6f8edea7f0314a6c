import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopCommand } from '../helpers/shop-command.ts';
import { subscriber } from './renewing.ts';
import { dayOf, repriceCommand } from './repricing.ts';

const DAY_MS = 24 * 60 * 60_000;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test('M4 a new VAT rate applies from its date: the price stays, and its VAT share changes', async () => {
  const [finn] = [await subscriber(shop, 'finn'), await subscriber(shop, 'renews-soon')];
  await finn.forgetCard();
  await finn.liveUntil(new Date(finn.firstEnd.getTime() - 6 * DAY_MS));
  // The legal date is fixed: customers told late are counted before anybody is told.
  const inDays = (count: number) => new Date(shop.clock.now().getTime() + count * DAY_MS);
  const page = async () =>
    (await (await finn.now()).subscription.getSubscription({ query: { id: finn.subscriptionId } })).data!;
  const unasked = await repriceCommand(shop, '--vat', '10', '--from', dayOf(inDays(-1)));
  const [, late] = /(\d+) of them are notified less than 30 days before/.exec(unasked.stdout)!;
  // One renews in six days. The other has an invoice, and pays the new rate from the period after it.
  expect(late).toBe('1');
  const far = await repriceCommand(shop, '--vat', '10', '--from', dayOf(inDays(40)));
  expect(far.stdout).not.toContain('less than');
  await repriceCommand(shop, '--vat', '10', '--from', dayOf(shop.clock.now()), '--yes');
  const message = await finn.message(/^VAT on your Solo plan changes/);
  for (const text of [message.Text, message.HTML]) expect(text).toMatch(/from 7% to 10%/);
  // The issued invoice is unchanged.
  const from = new Date((await page()).announcedVat!.from);
  expect(from.getTime()).toBeGreaterThan(finn.firstEnd.getTime());
  const vats = async () =>
    (
      await shop.db
        .selectFrom('invoice_line')
        .innerJoin('invoice', 'invoice.id', 'invoice_line.invoice_id')
        .select(['invoice_line.total', 'invoice_line.vat', 'invoice_line.vat_rate_bp'])
        .where('subscription_id', '=', finn.subscriptionId)
        .orderBy('invoice.created_at')
        .execute()
    ).map(({ total, vat, vat_rate_bp }) => [total, vat, vat_rate_bp]);
  const client = await finn.now();
  const open = (await page()).openInvoice!;
  await client.payment.payment({ body: { invoiceId: open.id, paymentMethod: 'bitcoin' } });
  const { provider_ref: invoice } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('invoice_id', '=', open.id)
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('btcpay/pay', { invoice });
  await shop.sandbox.control('btcpay/confirm', { invoice });
  await client.payment.askInvoice({ body: { invoiceId: open.id } });
  await shop.sweep();
  await finn.liveUntil(new Date(from.getTime() - 6 * DAY_MS));
  expect(await vats()).toEqual([
    [199_00, 13_02, 700],
    [199_00, 13_02, 700],
    [199_00, 18_09, 1000],
  ]);

  // A customer who bought after the emails was told nothing, because the catalogue has the new rate.
  await subscriber(shop, 'between');
  const example = fileURLToPath(new URL('../../../../docs/operate/catalogue.example.yaml', import.meta.url));
  const file = join(await mkdtemp(join(tmpdir(), 'fixpoint-vat-')), 'catalogue.yaml');
  await writeFile(file, (await readFile(example, 'utf8')).replace('TH: 7\n', 'TH: 10\n'));
  const { stdout, stderr } = await shopCommand(shop, 'catalogue', 'import', file);
  expect(stdout + stderr).toContain(
    '1 subscriptions renew at another VAT than 10%. To change them, run:\n  npm run shop -- reprice --vat 10 --from DAY',
  );
});
