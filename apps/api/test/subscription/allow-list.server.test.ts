import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newColleague } from '../team/people.ts';

type Customer = Awaited<ReturnType<TestShop['customer']>>;
let shop: TestShop;
let company: Customer;
let other: Customer;
let address: string;
beforeAll(async () => {
  shop = await startTestShop();
  [company, other] = [await shop.customer('company', 'plus'), await shop.customer('other')];
  address = (await company.client.subscription.getSubscription({ query: { id: company.subscriptionId } }))
    .data!.address!;
});
afterAll(() => shop?.stop());

const listed = async () => (await company.client.allowList.addresses()).data!;
const createUrl = async () => (await company.client.allowList.setUrl({ body: { on: true } })).data!.path!;
const fetched = async (path: string) => {
  const answer = await fetch(`${shop.url}${path}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};
const refused = { status: 400, text: expect.stringContaining('8003') };

test('an account lists the addresses of its own subscriptions with label, place and devices', async () => {
  const { subscriptionId } = company;
  await company.client.subscription.renameSubscription({ body: { id: subscriptionId, label: '=1+1' } });
  for (const [name, label] of [['phone', 'Ann’s phone'], ['router']])
    await company.client.subscription.addKey({
      body: { subscriptionId, name: name!, ...(label && { label }) },
    });
  expect(await listed()).toEqual({
    items: [
      expect.objectContaining({
        subscriptionId,
        address,
        label: '=1+1',
        region: 'Bangkok',
        country: 'TH',
        devices: ['Ann’s phone', 'router'],
      }),
    ],
  });
  const { csv } = (await company.client.allowList.exportAddresses()).data!;
  const [head, row, ...rest] = csv.split('\r\n');
  // Without the mark a spreadsheet misreads Thai labels.
  expect(head).toBe('\u{feff}address,ipv6,label,place,country,devices,people,subscription');
  expect(row).toContain(`${address},`);
  expect(row).toContain(`,'=1+1,Bangkok,TH,"Ann’s phone, router",,${subscriptionId}`);
  expect(rest).toEqual(['']);
});

test('where several work for an account, the list names whose the devices are', async () => {
  const { client, subscriptionId, email } = other;
  const add = (by: typeof client, name: string) => by.subscription.addKey({ body: { subscriptionId, name } });
  const people = async () => (await client.allowList.addresses()).data!.items[0]!.people;
  await add(client, 'desk');
  expect(await people()).toBeUndefined();
  const ben = await newColleague(shop, client, 'ben@example.com', 'buyer');
  await ben.client.account.setName({ body: { name: 'เบญจ์' } });
  expect(await people()).toEqual([email]);
  await add(ben.client, 'phone');
  expect((await people())!.toSorted()).toEqual([email, 'เบญจ์'].toSorted());
  expect((await client.allowList.exportAddresses()).data!.csv).toContain('เบญจ์');
  const { path } = (await client.allowList.setUrl({ body: { on: true } })).data!;
  expect((await fetched(`${path}.json`)).text).not.toContain('เบญจ์');
});

test('a firewall reads the addresses as text or JSON from one URL, which stays the same', async () => {
  const path = await createUrl();
  expect((await listed()).url).toMatchObject({ path });
  const { items } = await listed();
  const lines = items.flatMap(one => (one.ipv6 ? [one.address, one.ipv6] : [one.address]));
  expect(await fetched(`${path}.txt`)).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: lines.map(line => `${line}\n`).join(''),
  });
  const json = JSON.parse((await fetched(`${path}.json`)).text);
  expect(json.addresses).toEqual([
    expect.objectContaining({ address, label: '=1+1', place: 'Bangkok', country: 'TH' }),
  ]);
  // Names of devices are names of people.
  expect(JSON.stringify(json)).not.toContain('Ann');
});

test('S27 a replaced, removed or forged URL is refused, as is that of a disabled account', async () => {
  const first = await createUrl();
  const second = await createUrl();
  const forged = `/allow-list/${'A'.repeat(43)}`;
  for (const path of [`${first}.txt`, `${forged}.txt`, second, `${second}.csv`, '/allow-list/.txt'])
    expect(await fetched(path), path).toMatchObject(refused);
  expect(await fetched(`${second}.txt`)).toMatchObject({ status: 200 });
  await other.client.allowList.setUrl({ body: { on: false } });
  expect(await fetched(`${second}.txt`)).toMatchObject({ status: 200 });
  await company.client.allowList.setUrl({ body: { on: false } });
  expect(await fetched(`${second}.txt`)).toMatchObject(refused);
  expect(await listed()).not.toHaveProperty('url');

  const path = (await other.client.allowList.setUrl({ body: { on: true } })).data!.path!;
  await shop.db
    .updateTable('customer')
    .set({ status: 'disabled' })
    .where('email', '=', other.email)
    .execute();
  expect(await fetched(`${path}.txt`)).toMatchObject(refused);
});

test('a subscription that has ended leaves the list, although its address is still reserved', async () => {
  const path = await createUrl();
  await shop.db
    .updateTable('subscription')
    .set({ status: 'expired' })
    .where('id', '=', company.subscriptionId)
    .execute();
  expect(await fetched(`${path}.txt`)).toMatchObject({ status: 200, text: '' });
  expect((await listed()).items).toEqual([]);
});
