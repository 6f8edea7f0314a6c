import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeIn } from '../helpers/people.ts';
import { acceptAsNew, invitationTo, newColleague } from './people.ts';

/** Parallel calls of each kind. */
const MANY = 100;
let shop: TestShop;
let owner: Awaited<ReturnType<TestShop['customer']>>;
let ownerId: string;
let count = 0;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());
beforeEach(async () => {
  owner = await shop.customer(`racer-${++count}`, 'team');
  ownerId = (await owner.client.auth.profile()).data!.id;
});

const codesOf = (answers: readonly { code: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ code }) => code)].map(([code, alike]) => [code, alike.length]),
  );
/** One succeeded and the others were refused with one of these codes, or because the shop was busy. */
function expectOne(answers: readonly { code: string }[], refused: readonly string[]): void {
  const { '0000': succeeded, ...others } = codesOf(answers);
  expect(succeeded).toBe(1);
  expect([...refused, '9902']).toEqual(expect.arrayContaining(Object.keys(others)));
}
const peopleOf = () =>
  shop.db
    .selectFrom('membership')
    .select(['user_id', 'role'])
    .where('customer_id', '=', ownerId)
    .orderBy('user_id')
    .execute();
/** No session goes on for somebody who does not work here, or with another role than theirs. */
const strayRoles = async () =>
  (
    await sql`select s.id from session s left join membership m using (customer_id, user_id)
      where s.customer_id = ${ownerId} and s.ended_at is null and s.role is distinct from m.role`.execute(
      shop.db,
    )
  ).rows;
const times = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => work(n)));

test('parallel invitations of one address make one; parallel acceptances of it one membership', async () => {
  const email = `raced-${count}@example.com`;
  expectOne(await times(() => owner.client.team.invite({ body: { email, role: 'buyer' } })), ['5002']);
  const token = await invitationTo(shop, email);
  expectOne(await times(() => acceptAsNew(shop, token)), ['5002', '8003']);
  expect(await peopleOf()).toHaveLength(2);
});

test('parallel acceptances by a user with a log-in make one membership', async () => {
  const guest = await shop.customer(`raced-guest-${count}`);
  await owner.client.team.invite({ body: { email: guest.email, role: 'buyer' } });
  const invitation = await invitationTo(shop, guest.email);
  expectOne(await times(() => guest.client.team.joinTeam({ body: { invitation } })), ['8003']);
  expect(await peopleOf()).toHaveLength(2);
});

test('owners who demote, remove, hand over and leave at once never leave a customer without one', async () => {
  const owners: { client: TestClient; userId: string }[] = [{ client: owner.client, userId: ownerId }];
  for (let n = 0; n < 4; n += 1)
    owners.push(await newColleague(shop, owner.client, `co-owner-${count}-${n}@example.com`, 'owner'));
  await times(n => {
    const { client } = owners[n % owners.length]!;
    const { userId } = owners[(n * 7 + 1) % owners.length]!;
    const kind = n % 4;
    if (kind === 0) return client.team.setRole({ body: { userId, role: 'buyer' } });
    if (kind === 1) return client.team.handOver({ body: { userId } });
    if (kind === 2) return client.team.remove({ body: { userId } });
    return client.team.leave();
  });
  const people = await peopleOf();
  expect(people.some(({ role }) => role === 'owner')).toBe(true);
  expect(new Set(people.map(({ user_id }) => user_id)).size).toBe(people.length);
  expect(await strayRoles()).toEqual([]);
});

test('a removal at the same time as log-ins, switches, new devices and URLs leaves no session, device or URL', async () => {
  const buyer = await newColleague(shop, owner.client, `removed-${count}@example.com`, 'buyer');
  const body = { subscriptionId: owner.subscriptionId };
  await Promise.all([
    times((n): Promise<{ code: string }> => {
      if (n % 4 === 0) return buyer.client.subscription.addKey({ body: { ...body, name: `raced-${n}` } });
      if (n % 4 === 1) return buyer.client.allowList.setUrl({ body: { on: true } });
      if (n % 4 === 2) return shop.client.auth.login({ body: { email: buyer.email, password: PASSWORD } });
      return buyer.client.team.switchCustomer({ body: { customerId: ownerId } });
    }),
    owner.client.team.remove({ body: { userId: buyer.userId } }),
  ]);
  const left = await shop.db
    .selectFrom('vpn_key')
    .select('id')
    .where('user_id', '=', buyer.userId)
    .where('deleted_at', 'is', null)
    .execute();
  expect(left).toEqual([]);
  expect((await owner.client.allowList.addresses()).data).not.toHaveProperty('url');
  expect(await strayRoles()).toEqual([]);
  const login = await shop.client.auth.login({ body: { email: buyer.email, password: PASSWORD } });
  expect((await createClient(shop.url, login.token).auth.profile()).data).toMatchObject({ customers: [] });
});

test('a founder who is removed, leaves, hands over, logs in, changes the password and adds devices at once is gone once', async () => {
  const second = await newColleague(shop, owner.client, `second-${count}@example.com`, 'owner');
  const { email } = owner;
  const guest = await shop.customer(`founders-other-${count}`);
  await guest.client.team.invite({ body: { email, role: 'buyer' } });
  const invitation = await invitationTo(shop, email);
  const { flow } = (await shop.client.auth.requestResetPassword({ body: { email } })).data!;
  const code = await codeIn(shop, email, /set a new password/);
  const { grant } = (await shop.client.auth.verifyResetPassword({ body: { flow, code } })).data!;
  const { subscriptionId } = owner;
  const answers = await times((n): Promise<{ code: string }> => {
    const kind = n % 8;
    if (kind === 0) return second.client.team.remove({ body: { userId: ownerId } });
    if (kind === 1) return owner.client.team.leave();
    if (kind === 2) return owner.client.team.handOver({ body: { userId: second.userId } });
    if (kind === 3) return owner.client.subscription.addKey({ body: { subscriptionId, name: `raced-${n}` } });
    if (kind === 4) return shop.client.auth.login({ body: { email, password: PASSWORD } });
    if (kind === 5) return shop.client.auth.resetPassword({ body: { grant, password: `${PASSWORD}x` } });
    if (kind === 6) return owner.client.team.joinTeam({ body: { invitation } });
    return second.client.team.leave();
  });
  expect(answers.filter(({ code }) => code === '9900')).toEqual([]);
  expect((await peopleOf()).some(({ role }) => role === 'owner')).toBe(true);
  expect(await strayRoles()).toEqual([]);
  const customer = shop.db.selectFrom('customer').select(['id', 'founder_id', 'password_hash']);
  const left = await customer.where('id', '=', ownerId).executeTakeFirstOrThrow();
  const users = await customer.where('email', '=', email).where('status', '=', 'active').execute();
  expect(users).toHaveLength(1);
  // The other owner was faster, so the founder is the last one.
  if (left.founder_id === null) return;
  expect(left).toMatchObject({ founder_id: users[0]!.id, password_hash: null });
  const stays = async (table: 'session' | 'vpn_key' | 'membership') =>
    (await sql`select from ${sql.table(table)} where user_id = ${ownerId}`.execute(shop.db)).rows.length;
  expect([await stays('session'), await stays('vpn_key'), await stays('membership')]).toEqual([0, 0, 0]);
  const devices = shop.db.selectFrom('vpn_key').select('id').where('customer_id', '=', ownerId);
  expect(await devices.where('deleted_at', 'is', null).execute()).toEqual([]);
});
