import { emailTo, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followed, subscriber } from '../subscription/renewing.ts';
import { newColleague, subjectsTo } from '../team/people.ts';

const DAY_MS = 24 * 60 * 60_000;
const EMAIL = /new VPN file/;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

type Person = Awaited<ReturnType<typeof subscriber>>;

/** Adds a device with a new file. @returns its name, the expiry of the file, and a way to make another */
async function device(person: Person, name: string) {
  const { subscriptionId } = person;
  const added = await (await person.now()).subscription.addKey({ body: { subscriptionId, name } });
  const body = { subscriptionId, keyId: added.data!.id };
  const newFile = async () => {
    const file = await (await person.now()).subscription.downloadKey({ body });
    return new Date(file.data!.validUntil);
  };
  return { ends: await newFile(), newFile };
}

/** Extends the paid period without payments. */
const paidUntil = (person: Person, period_end: Date, more: { cancel_at_period_end?: boolean } = {}) =>
  shop.db
    .updateTable('subscription')
    .set({ period_end, due_at: period_end, ...more })
    .where('id', '=', person.subscriptionId)
    .execute();

const goTo = async (target: Date) => {
  shop.clock.advance(target.getTime() - shop.clock.now().getTime());
  // Two concurrent workers.
  await Promise.all([shop.runTasks(), shop.runTasks()]);
  await shop.sweep();
};
const daysBefore = (end: Date, days: number) => new Date(end.getTime() - days * DAY_MS);
const day = (at: Date) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Asia/Bangkok' }).format(at);

test('K6 FV16 a customer is notified once of all files that expire within a week, if the subscription continues', async () => {
  const [anna, ben, cleo] = [
    await subscriber(shop, 'anna'),
    await subscriber(shop, 'ben'),
    await subscriber(shop, 'cleo'),
  ];
  const phone = await device(anna, 'canary-phone');
  for (const other of [ben, cleo]) await device(other, 'canary-phone');
  shop.clock.advance(3 * DAY_MS);
  const laptop = await device(anna, 'canary-laptop');
  await paidUntil(anna, new Date(laptop.ends.getTime() + 500 * DAY_MS));
  // One subscription ends the day before the file expires, the other one the day after.
  await paidUntil(ben, daysBefore(phone.ends, 1), { cancel_at_period_end: true });
  await paidUntil(cleo, daysBefore(phone.ends, -1), { cancel_at_period_end: true });
  const emails = () => Promise.all([anna, ben, cleo].map(person => person.emails(EMAIL)));

  await goTo(daysBefore(phone.ends, 30.1));
  expect(await emails()).toEqual([0, 0, 0]);
  await goTo(daysBefore(phone.ends, 29.9));
  const { Text, Subject } = await anna.message(EMAIL);
  expect(Subject).toContain(day(phone.ends));
  expect(Text).toContain(`canary-phone: ${day(phone.ends)}`);
  expect(Text).toContain(`canary-laptop: ${day(laptop.ends)}`);
  expect(Text).toContain(`/management/subscription/${anna.subscriptionId}`);
  await goTo(daysBefore(laptop.ends, 29.9));
  expect(await emails()).toEqual([1, 0, 1]);

  // With renewal on again, the subscription continues beyond the file.
  await (await ben.now()).subscription.cancelSubscription({ body: { id: ben.subscriptionId, undo: true } });
  await goTo(daysBefore(phone.ends, 20));
  await until(async () => (await ben.emails(EMAIL)) === 1, 'the email of the customer who renews again');

  // After a new file the next notification is about that one alone.
  const next = await phone.newFile();
  for (const days of [10, -1]) await goTo(daysBefore(laptop.ends, days));
  expect(await anna.emails(EMAIL)).toBe(1);
  await goTo(daysBefore(next, 29.9));
  await until(async () => (await anna.emails(EMAIL)) === 2, 'the email about the new file');
});

test('K6 everybody is notified of their own devices, and of nobody else’s', async () => {
  const emil = await followed(shop, await shop.customer('emil', 'team'));
  const { ends } = await device(emil, 'canary-phone');
  const { subscriptionId } = emil;
  const owner = await emil.now();
  const part = { subscriptionId, devices: 1 };
  const mia = await newColleague(shop, owner, 'mia@example.com', 'member', part);
  const bea = await newColleague(shop, owner, 'bea@example.com', 'buyer');
  // Emails about one's own devices are not among those that a buyer leaves to another owner.
  await bea.client.account.setEmails({ body: { off: ['shared'] } });
  const idle = await newColleague(shop, owner, 'idle@example.com', 'buyer');
  const devices = ['canary-phone', 'canary-tablet', 'canary-laptop'];
  for (const [{ client }, name] of [[mia, devices[1]!] as const, [bea, devices[2]!] as const]) {
    const { data } = await client.subscription.addKey({ body: { subscriptionId, name } });
    await client.subscription.downloadKey({ body: { subscriptionId, keyId: data!.id } });
  }
  await paidUntil(emil, new Date(ends.getTime() + 500 * DAY_MS));
  await goTo(daysBefore(ends, 29.9));
  const named = async (address: string) => {
    const { Text } = await emailTo(shop, address, EMAIL);
    return devices.filter(name => Text.includes(name));
  };
  const told = [await named(emil.email), await named(mia.email), await named(bea.email)];
  expect(told).toEqual(devices.map(name => [name]));
  const others = await subjectsTo(shop, idle.email);
  expect(others.filter(subject => EMAIL.test(subject))).toEqual([]);
});

test('K6 no email is sent about a file that was replaced in time, or about a deleted device', async () => {
  const dora = await subscriber(shop, 'dora');
  const phone = await device(dora, 'canary-phone');
  const laptop = await device(dora, 'canary-laptop');
  await paidUntil(dora, new Date(laptop.ends.getTime() + 500 * DAY_MS));
  await goTo(daysBefore(phone.ends, 40));
  await phone.newFile();
  const { items } = (await (await dora.now()).subscription.mySubscription({ body: {} })).data!;
  const found = await (await dora.now()).subscription.getSubscription({ query: { id: items[0]!.id } });
  const gone = found.data!.keys.find(({ name }) => name === 'canary-laptop')!;
  const body = { subscriptionId: dora.subscriptionId, keyId: gone.id };
  await (await dora.now()).subscription.deleteKey({ body });
  await goTo(daysBefore(phone.ends, 20));
  expect(await dora.emails(EMAIL)).toBe(0);
});
