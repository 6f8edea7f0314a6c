import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { type DatabaseUrls, databaseSettings } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { createDatabase } from '@fixpoint/testkit/database.ts';
import { startInlineJobs } from '@fixpoint/testkit/jobs-inline.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runShopCommand } from '../../src/cli/run.ts';
import { startShop } from '../../src/compose/shop.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Import of catalogues into an empty shop and a selling one. */
const example = fileURLToPath(new URL('../../../../docs/operate/catalogue.example.yaml', import.meta.url));
const DAY_MS = 24 * 60 * 60_000;
let folder: string;
let shop: TestShop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-catalogue-'));
  shop = await startTestShop();
});
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The example catalogue for the host of the demo region, with changes. */
async function fileWith(change: (text: string) => string): Promise<string> {
  const file = join(folder, 'catalogue.yaml');
  await writeFile(
    file,
    change((await readFile(example, 'utf8')).replaceAll('own-rack', 'demo').replace('Our own', 'Demo')),
  );
  return file;
}
/** Runs the command in this process with these answers of the operator. */
async function importing(urls: DatabaseUrls, file: string, answers: boolean): Promise<string> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    ask: async (question: string) => said.push(question) > 0 && answers,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  };
  const env = { ...databaseSettings(urls), DATA_DIR: folder };
  await runShopCommand(['catalogue', 'import', file], env, terminal, startInlineJobs);
  if (err.length > 0) throw new Error(err.join(''));
  return out.join('');
}
/** Output before the operator was asked. */
const said: string[] = [];
const sell = (file: string) => importing(shop.databaseUrls, file, true);
const choice = {
  planId: 'solo',
  providerId: 'demo',
  regionId: 'th-bkk',
  vendorId: 'fixpoint',
  currency: 'THB',
};
const priceOf = async (cycleCount: 1 | 12) =>
  (await shop.client.order.getProduct({ body: { ...choice, cycleCount } })).data;

test('FO1 a shop without a catalogue says so everywhere, and sells as soon as it has one', async () => {
  const database = await createDatabase();
  const port = await freePort();
  const warned: string[] = [];
  const env = {
    PORT: String(port),
    DATA_DIR: folder,
    WEB_DIR: folder,
    ...databaseSettings(database.urls),
    STRIPE_SECRET: 'sk_test_nobody',
    STRIPE_PUB: 'pk_test_nobody',
    STRIPE_WEBHOOK_SECRETS: 'whsec_nobody',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
  const log = createLogger('warn', {
    write: line => void warned.push((JSON.parse(line) as { msg: string }).msg),
  });
  const empty = await startShop(readEnv(env), log);
  const client = createClient(`http://127.0.0.1:${port}`);
  const run = (...args: string[]) =>
    shopCommand({ ...shop, databaseUrls: database.urls, url: `http://127.0.0.1:${port}` }, ...args);

  expect(warned.join('\n')).toContain('npm run shop -- catalogue import FILE');
  expect(await client.order.getAllPlan({ query: {} })).toMatchObject({ code: '0000', data: { plans: [] } });
  expect((await client.order.getVendor({ query: {} })).code).toBe('6003');
  expect(await run('ready')).toMatchObject({ code: 1, stdout: expect.stringContaining('no catalogue') });

  // It is shown, and done only when the operator says so.
  expect(await importing(database.urls, example, false)).toContain('Nothing was changed. To do it');
  expect(said.pop()).toContain('+ price team, months: 12, USD');
  expect((await client.order.getAllPlan({ query: {} })).data!.plans).toEqual([]);

  expect((await run('catalogue', 'import', example, '--yes')).code).toBe(0);
  const { plans, vatRate } = await until(async () => {
    const { data } = await client.order.getAllPlan({ query: {} });
    return data!.plans.length > 0 && data;
  }, 'plans');
  expect(vatRate).toBe(0.07);
  expect(plans.map(({ id }) => id)).toEqual(['solo', 'plus', 'team']);
  expect(plans[0]!.prices.at(-1)).toMatchObject({
    cycleCount: 12,
    price: 155_200,
    renewal: 191_000,
    firstYear: true,
  });
  const left = (await run('ready')).stdout;
  expect(left).not.toContain('no catalogue');
  expect(left).toContain('host add --host ID --provider hetzner');
  await empty.close();
  await database.drop();
});

test('FO1 a catalogue with faults changes nothing', async () => {
  const before = await priceOf(1);
  const cheap = await fileWith(text =>
    text.replace('1: 199,', '1: 99,').replace('devices: 5', 'devices: 32'),
  );
  await expect(sell(cheap)).rejects.toThrow(/^Nothing changed[\s\S]+plans\.plus\.devices/);
  await expect(sell(await fileWith(() => 'plans: ['))).rejects.toThrow('neither YAML nor JSON');
  await expect(sell(join(folder, 'absent.yaml'))).rejects.toThrow('cannot be read');
  expect(await priceOf(1)).toEqual(before);
});

test('FO1 an import shows the differences; a subscription keeps its price and entitlements', async () => {
  const buyer = await shop.customer('keeper');
  const subscription = async () =>
    (await buyer.client.subscription.getSubscription({ query: { id: buyer.subscriptionId } })).data;
  const before = await subscription();
  await sell(await fileWith(text => text));

  const dearer = await fileWith(text =>
    text.replace('1: 199,', '1: 249,').replace('devices: 2', 'devices: 3'),
  );
  await sell(dearer);
  expect(said.pop()!.split('\n').slice(0, 3)).toEqual([
    '~ plan solo: number 1 of the page, vpn, 2 devices, 500 GB, 50 Mbit/s → number 1 of the page, vpn, 3 devices, 500 GB, 50 Mbit/s',
    '~ price solo, months: 1, THB: 199.00 → 249.00',
    'This applies to new purchases. Subscriptions keep their price and entitlements.',
  ]);
  expect(await subscription()).toEqual(before);
  expect(await priceOf(1)).toMatchObject({ product: { devices: 3 }, total: { price: 24_900, vat: 1629 } });
  expect(await sell(dearer)).toContain('Nothing to change');

  // Plans, cycles and places that the file no longer names are not for sale; existing subscriptions keep them.
  const less = await fileWith(text =>
    text
      .replace(/ {2}solo:[\s\S]*?(?= {2}plus:)/, '')
      .replace(/.*waitingList: true.*\n/, '')
      .replace(/ {2}(demo|th-bkk): .*\n/g, ''),
  );
  await sell(less);
  expect(said.at(-1)).toContain('- plan solo');
  expect(said.at(-1)).toContain('- place demo-th-bkk-fixpoint');
  expect(await priceOf(1)).toBeUndefined();
  expect(await subscription()).toEqual(before);
  // They can be sold again.
  await sell(await fileWith(text => text));
  expect(await priceOf(12)).toMatchObject({ total: { price: 155_200 }, renewal: 191_000, firstYear: true });
});

test('MO6 a rate of VAT has a first day, and applies from then on without another import', async () => {
  await shop.customer('taxed');
  await sell(await fileWith(text => text));
  const inDays = (days: number) => dayIn('TH', new Date(shop.clock.now().getTime() + days * DAY_MS));
  // Documents have 7 %: another rate from the beginning would be a wrong one of all of them.
  await expect(sell(await fileWith(text => text.replace('TH: 7', 'TH: 10')))).rejects.toThrow(
    `vat:\n    TH:\n      - { rate: 7 }\n      - { from: ${inDays(1)}, rate: 10 }`,
  );
  const rates = (day: string) =>
    fileWith(text => text.replace('TH: 7', `TH: [{ rate: 7 }, { from: ${day}, rate: 10 }]`));
  await sell(await rates(inDays(-1)));
  expect(said.pop()).toMatch(/\d documents since \S+ have another rate/);
  await sell(await rates(inDays(2)));
  expect(said.pop()!.split('\n')).toEqual(
    expect.arrayContaining([
      `~ VAT TH: 7 %, from ${inDays(-1)} 10 % → 7 %, from ${inDays(2)} 10 %`,
      `${inDays(2)} is less than 31 days away: customers are notified later than that.`,
    ]),
  );
  expect(await priceOf(1)).toMatchObject({ vatRate: 0.07, comingVat: { rateBp: 1000 } });
  shop.clock.advance(2 * DAY_MS);
  expect(await priceOf(1)).toMatchObject({ vatRate: 0.1, total: { price: 19_900, vat: 1809 } });
});
