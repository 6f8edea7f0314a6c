import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { beginOrder, buyAsVisitor, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeIn } from '../helpers/people.ts';
import { acceptAsNew, bearer, invitationTo, newColleague, openSocket, subjectsTo } from './people.ts';

const DAY_MS = 24 * 60 * 60_000;
let shop: TestShop;
let owner: Awaited<ReturnType<TestShop['customer']>>;
let ownerId: string;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

let count = 0;
beforeEach(async () => {
  owner = await shop.customer(`owner-${++count}`);
  ownerId = (await owner.client.auth.profile()).data!.id;
});
const colleague = (role: TeamRole) =>
  newColleague(shop, owner.client, `colleague-${++count}@example.com`, role);
const peopleOf = async (client: TestClient) =>
  (await client.team.people()).data!.people.map(({ userId, role }) => ({ userId, role }));

describe('invitations', () => {
  test('a new user accepts with a password, works for the customer, and has none of their own', async () => {
    const buyer = await colleague('buyer');
    const profile = (await buyer.client.auth.profile()).data!;
    expect(profile).toMatchObject({ email: buyer.email, customerId: ownerId, role: 'buyer' });
    expect(profile.id).not.toBe(ownerId);
    expect(profile.customers).toEqual([{ id: ownerId, name: owner.email, role: 'buyer' }]);
    const { items } = (await buyer.client.subscription.mySubscription({ body: {} })).data!;
    expect(items.map(({ id }) => id)).toEqual([owner.subscriptionId]);
    expect((await owner.client.auth.profile()).data).toMatchObject({ id: ownerId, role: 'owner' });
    expect(await peopleOf(owner.client)).toEqual([
      { userId: ownerId, role: 'owner' },
      { userId: buyer.userId, role: 'buyer' },
    ]);
  });

  test('the link says whom it is for, works once and ends after 7 days', async () => {
    const email = `late-${count}@example.com`;
    const { data } = await owner.client.team.invite({ body: { email, role: 'buyer' } });
    const token = await invitationTo(shop, email);
    const shown = await shop.client.team.getInvitation({}, bearer(token));
    expect(shown.data).toMatchObject({ email, role: 'buyer', name: owner.email, hasLogin: false });
    shop.clock.advance(7 * DAY_MS);
    for (const answer of [
      await shop.client.team.getInvitation({}, bearer(token)),
      await acceptAsNew(shop, token),
      await shop.client.auth.setPassword({ body: { password: PASSWORD } }, bearer(token)),
    ])
      expect(answer.code).toBe('8003');
    const again = createClient(
      shop.url,
      (await shop.client.auth.login({ body: { email: owner.email, password: PASSWORD } })).token,
    );
    expect((await again.team.people()).data!.invitations).toEqual([]);
    expect((await again.team.resendInvitation({ body: { id: data!.id } })).code).toBe('0000');
    const renewed = await until(async () => {
      const newest = await invitationTo(shop, email);
      return newest !== token && newest;
    }, 'the second email');
    expect((await acceptAsNew(shop, token)).code).toBe('8003');
    expect((await acceptAsNew(shop, renewed)).code).toBe('0000');
    expect((await acceptAsNew(shop, renewed)).code).toBe('8003');
  });

  test('an existing user joins with the invited address only, and works for two customers', async () => {
    const guest = await shop.customer(`guest-${count}`);
    const other = await shop.customer(`other-${count}`);
    await owner.client.team.invite({ body: { email: guest.email, role: 'owner' } });
    const token = await invitationTo(shop, guest.email);
    expect((await shop.client.team.getInvitation({}, bearer(token))).data!.hasLogin).toBe(true);
    expect((await acceptAsNew(shop, token)).code).toBe('5002');
    const body = { invitation: token };
    expect(await other.client.team.joinTeam({ body })).toMatchObject({
      code: '7004',
      data: { fields: { invitation: 'team.invitation.otherEmail' } },
    });
    expect((await guest.client.team.joinTeam({ body })).data).toEqual({ customerId: ownerId });
    expect((await guest.client.team.joinTeam({ body })).code).toBe('8003');
    const { customers, customerId } = (await guest.client.auth.profile()).data!;
    expect(customers.map(({ role }) => role)).toEqual(['owner', 'owner']);
    expect(customerId).not.toBe(ownerId);
    expect(await peopleOf(owner.client)).toHaveLength(2);
  });

  test('5002 for somebody who is here or invited; the answer is the same whether or not an address is known', async () => {
    const guest = await shop.customer(`known-${count}`);
    const buyer = await colleague('buyer');
    const invite = async (email: string) => {
      const { status, code, data } = await owner.client.team.invite({ body: { email, role: 'buyer' } });
      return { status, code, members: Object.keys(data ?? {}) };
    };
    expect(await invite(guest.email)).toEqual(await invite(`nobody-${count}@example.com`));
    for (const email of [guest.email, buyer.email, owner.email])
      expect(await invite(email)).toMatchObject({ status: 400, code: '5002' });
  });

  test('a withdrawn invitation and its link end', async () => {
    const email = `withdrawn-${count}@example.com`;
    const { id } = (await owner.client.team.invite({ body: { email, role: 'buyer' } })).data!;
    const token = await invitationTo(shop, email);
    expect((await owner.client.team.withdrawInvitation({ body: { id } })).code).toBe('0000');
    expect((await owner.client.team.withdrawInvitation({ body: { id } })).code).toBe('6001');
    expect((await acceptAsNew(shop, token)).code).toBe('8003');
  });

  test('what somebody invited to ends with their being an owner, however it ends', async () => {
    for (const end of [
      ({ client }) => client.team.handOver({ body: { userId: ownerId } }),
      ({ client }) => client.team.leave(),
      ({ client }) => client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } }),
      ({ userId }) => owner.client.team.setRole({ body: { userId, role: 'buyer' } }),
      ({ userId }) => owner.client.team.remove({ body: { userId } }),
    ] satisfies ((who: { client: TestClient; userId: string }) => Promise<{ code: string }>)[]) {
      const second = await colleague('owner');
      const email = `address-of-${second.email}`;
      expect((await second.client.team.invite({ body: { email, role: 'owner' } })).code).toBe('0000');
      const token = await invitationTo(shop, email);
      expect((await end(second)).code).toBe('0000');
      expect((await acceptAsNew(shop, token)).code, String(end)).toBe('8003');
    }
    expect((await owner.client.team.people()).data!.invitations).toEqual([]);
  });

  test('S17 an address gets few invitations a day, and a stranger’s text is in none', async () => {
    const small = await startTestShop({ LIMITS_SCALE: '1' });
    const { client } = await small.customer('inviter');
    const codes: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const email = 'victim@example.com';
      const { code, data } = await client.team.invite({ body: { email, role: 'buyer' } });
      codes.push(code);
      if (data) await client.team.withdrawInvitation({ body: { id: data.id } });
    }
    expect(codes).toEqual([...Array(5).fill('0000'), '9905', '9905']);
    expect((await emailTo(small, 'victim@example.com', /invite/)).Subject).not.toContain('inviter');
    await small.stop();
  });
});

describe('emails', () => {
  test('who joins, whose role changes and who is removed is told, in their own language', async () => {
    const buyer = await colleague('buyer');
    const joined = await emailTo(shop, owner.email, /invitation was accepted/);
    expect(joined.Text).toContain(buyer.email);
    await owner.client.team.setRole({ body: { userId: buyer.userId, role: 'owner' } });
    expect((await emailTo(shop, buyer.email, /has changed/)).Text).toContain('an owner of the account');
    await buyer.client.account.setLanguage({ body: { language: 'th' } });
    await owner.client.team.remove({ body: { userId: buyer.userId } });
    expect((await emailTo(shop, buyer.email, /ใช้บัญชีหนึ่งไม่ได้แล้ว/)).Text).toContain(owner.email);
  });

  test('owners and buyers read about a subscription, and whoever handed over as long as they buy', async () => {
    const buyer = await colleague('buyer');
    await buyer.client.account.setLanguage({ body: { language: 'vn' } });
    const body = { id: owner.subscriptionId, reasons: ['tooExpensive' as const] };
    expect((await buyer.client.subscription.cancelSubscription({ body })).code).toBe('0000');
    const told = await emailTo(shop, owner.email, /cancelled/i);
    expect((await emailTo(shop, buyer.email, /hủy/i)).Subject).not.toBe(told.Subject);
  });

  test('whoever leaves the emails to another owner gets none, and somebody always does', async () => {
    const [second, buyer] = [await colleague('owner'), await colleague('buyer')];
    const all = [owner, second, buyer];
    const told = async (subject: RegExp) => {
      await shop.sweep();
      const each = await Promise.all(all.map(({ email }) => subjectsTo(shop, email)));
      return each.map(subjects => subjects.filter(one => subject.test(one)).length);
    };
    const leaveTo = ({ client }: { client: TestClient }) =>
      client.account.setEmails({ body: { off: ['shared'] } });
    for (const one of [owner, buyer]) expect((await leaveTo(one)).code).toBe('0000');
    const body = { id: owner.subscriptionId };
    await buyer.client.subscription.cancelSubscription({ body: { ...body, reasons: ['tooExpensive'] } });
    expect(await told(/cancelled/i)).toEqual([0, 1, 0]);
    await leaveTo(second);
    await buyer.client.subscription.cancelSubscription({ body: { ...body, undo: true } });
    expect(await told(/is on again/)).toEqual([1, 1, 1]);
  });

  test('a device’s user is told of it, and nobody else', async () => {
    const buyer = await colleague('buyer');
    const body = { subscriptionId: owner.subscriptionId, name: 'phone' };
    const { data } = await buyer.client.subscription.addKey({ body });
    await shop.db.updateTable('session').set({ own_browser: true }).where('role', '=', 'owner').execute();
    const { subscriptionId } = body;
    await owner.client.subscription.deleteKey({ body: { subscriptionId, keyId: data!.id } });
    await emailTo(shop, buyer.email, /device was deleted/i);
    expect(await subjectsTo(shop, owner.email)).not.toContain('A device was deleted from your subscription');
  });

  test('an email to one address reaches it once, however many buy', async () => {
    await colleague('owner');
    const buyer = await colleague('buyer');
    const [books, changed] = [`books-${count}@example.com`, `changed-${count}@example.com`];
    const company = { name: 'Books Ltd', country: 'HK', line1: '1 Main Rd', city: 'Central' };
    await owner.client.billing.setCompany({ body: { company: { ...company, recipients: [books] } } });
    const { consent, metadata } = await beginOrder(owner.client);
    expect((await owner.client.order.purchaseLogin({ body: consent })).code).toBe('0000');
    await owner.client.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
    await emailTo(shop, books, /Books Ltd/);
    const { flow } = (await owner.client.account.changeEmail({ body: { email: changed } })).data!;
    const code = await codeIn(shop, changed, /use this email address/);
    expect((await owner.client.account.confirmEmail({ body: { flow, code } })).code).toBe('0000');
    const told = await emailTo(shop, owner.email, /email address/);
    await shop.sweep();
    expect(await subjectsTo(shop, books)).toHaveLength(1);
    const notices = (await subjectsTo(shop, owner.email)).filter(subject => subject === told.Subject);
    expect(notices).toHaveLength(1);
    // What everybody gets who buys, they get.
    expect(await subjectsTo(shop, buyer.email)).toContainEqual(expect.stringMatching(/VPN is ready/));
  });
});

describe('roles', () => {
  test('a changed role holds at once, also in open sessions', async () => {
    const second = await colleague('owner');
    const socket = await openSocket(shop, second.token);
    const ended = new Promise(done => socket.once('disconnect', done));
    const body = { userId: second.userId, role: 'buyer' as const };
    expect((await owner.client.team.setRole({ body })).code).toBe('0000');
    await ended;
    socket.disconnect();
    expect(await second.client.team.people()).toMatchObject({ status: 403, code: '8002' });
    expect((await second.client.auth.profile()).data).toMatchObject({ role: 'buyer' });
  });

  test('handing over makes another user an owner and oneself a buyer', async () => {
    const buyer = await colleague('buyer');
    expect((await owner.client.team.handOver({ body: { userId: buyer.userId } })).code).toBe('0000');
    const { id } = (await owner.client.auth.profile()).data!;
    expect(await peopleOf(buyer.client)).toEqual([
      { userId: id, role: 'buyer' },
      { userId: buyer.userId, role: 'owner' },
    ]);
    expect((await owner.client.team.people()).code).toBe('8002');
    expect((await owner.client.account.exportData()).data).toMatchObject({
      account: { customers: [{ id: ownerId, role: 'buyer' }] },
      orders: [],
      invoices: [],
      keys: [],
      sentEmails: [],
    });
  });

  test('an owner who is not the founder exports the account, and nobody how others use their devices', async () => {
    const second = await colleague('owner');
    const body = { subscriptionId: owner.subscriptionId, name: 'laptop' };
    const keyId = (await second.client.subscription.addKey({ body })).data!.id;
    const used = { key_id: keyId, customer_id: ownerId, down_bytes: 5, up_bytes: 5 };
    await shop.db
      .insertInto('key_usage')
      .values({ ...used, month: '2026-11' })
      .execute();
    await shop.db
      .insertInto('key_usage_day')
      .values({ ...used, day: '2026-11-20', epoch: '1' })
      .execute();
    const { data } = await second.client.account.exportAccount();
    expect(data).toMatchObject({ account: { id: ownerId, name: owner.email }, keys: [{ name: 'laptop' }] });
    expect(data!.invoices).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(second.email);
    expect((await owner.client.account.exportData()).data!.keys).toMatchObject([{ usage: [], days: [] }]);
    const theirs = (await second.client.account.exportData()).data!;
    expect(theirs).toMatchObject({ account: { email: second.email }, invoices: [] });
  });

  test('a buyer pays by the saved card and adds one, and an owner alone removes or replaces what others renew by', async () => {
    const buyer = await colleague('buyer');
    const [card] = (await buyer.client.payment.getCard()).data!.cards;
    for (const body of [{ remove: card!.id }, { makeDefault: card!.id }])
      expect(await buyer.client.payment.updPayment({ body })).toMatchObject({ status: 403, code: '8002' });
    const adds = await buyer.client.payment.updPayment({ body: { setupIntent: 'seti_nobodys' } });
    expect(adds.code).not.toBe('8002');
    const removed = await owner.client.payment.updPayment({ body: { remove: card!.id } });
    expect(removed.code).toBe('0000');
  });

  test('8807 for oneself and the last owner; 6001 for a stranger', async () => {
    const second = await colleague('owner');
    const stranger = await shop.customer(`stranger-${count}`);
    const strangerId = (await stranger.client.auth.profile()).data!.id;
    const answers = {
      ownRole: await owner.client.team.setRole({ body: { userId: ownerId, role: 'buyer' } }),
      oneself: await owner.client.team.remove({ body: { userId: ownerId } }),
      stranger: await owner.client.team.remove({ body: { userId: strangerId } }),
      strangersCustomer: await owner.client.team.switchCustomer({ body: { customerId: strangerId } }),
    };
    expect(Object.values(answers).map(({ code }) => code)).toEqual([
      ...Array(2).fill('8807'),
      '6001',
      '6001',
    ]);
    await owner.client.team.handOver({ body: { userId: second.userId } });
    expect((await second.client.team.leave()).code).toBe('8807');
  });
});

describe('leaving and switching', () => {
  test('a removed user’s session and socket end; they log in to nothing, and own what they buy then', async () => {
    const buyer = await colleague('buyer');
    const socket = await openSocket(shop, buyer.token);
    const ended = new Promise(done => socket.once('disconnect', done));
    expect((await owner.client.team.remove({ body: { userId: buyer.userId } })).code).toBe('0000');
    await ended;
    socket.disconnect();
    expect((await buyer.client.auth.profile()).code).toBe('8001');
    const login = await shop.client.auth.login({ body: { email: buyer.email, password: PASSWORD } });
    const client = createClient(shop.url, login.token);
    expect((await client.auth.profile()).data).toMatchObject({ customers: [], customerId: buyer.userId });
    expect((await client.subscription.mySubscription({ body: {} })).data!.items).toEqual([]);
    expect(await client.subscription.getSubscription({ query: { id: owner.subscriptionId } })).toMatchObject({
      code: '6006',
    });
  });

  test('a removed user’s devices end as if they were deleted; the others stay', async () => {
    const buyer = await colleague('buyer');
    const add = (client: TestClient, name: string) =>
      client.subscription.addKey({ body: { subscriptionId: owner.subscriptionId, name } });
    const [own, theirs] = [await add(owner.client, 'own'), await add(buyer.client, 'theirs')];
    // A copy of a colleague's file would go on working.
    const { subscriptionId } = owner;
    const files = ({ client }: { client: TestClient }, keyId: string) =>
      Promise.all([
        client.subscription.downloadKey({ body: { subscriptionId, keyId } }),
        client.subscription.linkKey({ body: { subscriptionId, keyId } }),
      ]).then(all => all.map(({ code }) => code));
    expect(await files(buyer, own.data!.id)).toEqual(['6005', '6005']);
    expect(await files(owner, theirs.data!.id)).toEqual(['6005', '6005']);
    expect(await files(buyer, theirs.data!.id)).toEqual(['0000', '0000']);
    const { people } = (await owner.client.team.people()).data!;
    expect(people.map(({ devices }) => devices.map(({ name }) => name))).toEqual([['own'], ['theirs']]);
    await owner.client.team.remove({ body: { userId: buyer.userId } });
    const keys = await shop.db
      .selectFrom('vpn_key')
      .leftJoin('certificate', 'certificate.key_id', 'vpn_key.id')
      .select(['vpn_key.id', 'deleted_at', 'revoked'])
      .where('vpn_key.subscription_id', '=', owner.subscriptionId)
      .execute();
    expect(keys.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)).toEqual([own.data!.id]);
    expect(keys.find(({ id }) => id === theirs.data!.id)).toMatchObject({ deleted_at: expect.any(Date) });
  });

  test('the URL for firewalls ends with whoever could see it, who may make no other, and those who stay are told', async () => {
    const { setUrl, addresses } = owner.client.allowList;
    const statusOf = async (path: string) => (await fetch(`${shop.url}${path}.txt`)).status;
    const ended: string[] = [];
    for (const end of [
      ({ client }: { client: TestClient; userId: string }) => client.team.leave(),
      ({ userId }) => owner.client.team.remove({ body: { userId } }),
      ({ userId }) => owner.client.team.setRole({ body: { userId, role: 'member' } }),
      ({ client }) => client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } }),
    ] satisfies ((who: { client: TestClient; userId: string }) => Promise<{ code: string }>)[]) {
      const gone = await colleague('buyer');
      const member = await colleague('member');
      const { path } = (await setUrl({ body: { on: true } })).data!;
      expect((await member.client.team.leave()).code).toBe('0000');
      expect(await statusOf(path!)).toBe(200);
      expect((await end(gone)).code).toBe('0000');
      expect(await statusOf(path!)).toBe(400);
      expect((await addresses()).data).not.toHaveProperty('url');
      expect(['8001', '8002']).toContain((await gone.client.allowList.setUrl({ body: { on: true } })).code);
      ended.push(path!);
    }
    expect(new Set(ended).size).toBe(4);
    expect((await emailTo(shop, owner.email, /URL for firewalls/)).Text).toContain('Create a new URL');
  });

  test('switching ends the previous session and its sockets, confirms nobody, and lasts no longer', async () => {
    const guest = await shop.customer(`switcher-${count}`);
    const guestId = (await guest.client.auth.profile()).data!.id;
    await owner.client.team.invite({ body: { email: guest.email, role: 'buyer' } });
    await guest.client.team.joinTeam({ body: { invitation: await invitationTo(shop, guest.email) } });
    const socket = await openSocket(shop, guest.token);
    const ended = new Promise(done => socket.once('disconnect', done));
    const login = await shop.client.auth.login({ body: { email: guest.email, password: PASSWORD } });
    const fresh = createClient(shop.url, login.token);
    const sessionsOf = () =>
      shop.db
        .selectFrom('session')
        .select(['confirmed_at', 'expires_at', 'customer_id', 'role'])
        .where('user_id', '=', guestId)
        .where('ended_at', 'is', null)
        .orderBy('created_at')
        .execute();
    // Begun and confirmed a while ago.
    await shop.db
      .updateTable('session')
      .set({ confirmed_at: new Date(shop.clock.now().getTime() - DAY_MS) })
      .set({ expires_at: new Date(shop.clock.now().getTime() + DAY_MS) })
      .where('user_id', '=', guestId)
      .where('customer_id', '=', ownerId)
      .execute();
    const before = await sessionsOf();
    const beforeSwitch = before.find(({ customer_id }) => customer_id === ownerId)!;
    // The log-in has opened the customer that was joined last.
    expect(beforeSwitch).toMatchObject({ role: 'buyer' });
    const old = await openSocket(shop, login.token!);
    const oldEnded = new Promise(done => old.once('disconnect', done));
    const switched = await fresh.team.switchCustomer({ body: { customerId: guestId } });
    await oldEnded;
    old.disconnect();
    expect((await fresh.auth.profile()).code).toBe('8001');
    const client = createClient(shop.url, switched.token);
    expect((await client.auth.profile()).data).toMatchObject({ customerId: guestId, role: 'owner' });
    const { confirmed_at, expires_at } = beforeSwitch;
    const now = await sessionsOf();
    expect(now).toHaveLength(2);
    expect(now).toContainEqual({ confirmed_at, expires_at, customer_id: guestId, role: 'owner' });
    // The other session goes on for its own customer.
    expect(socket.connected).toBe(true);
    await guest.client.auth.logout({ body: {} });
    await ended;
    socket.disconnect();
  });

  test('whoever was only invited owns their own customer with the first purchase', async () => {
    const { email } = await colleague('buyer');
    const { metadata } = await buyAsVisitor(shop, email);
    const subscriptionId = await until(
      async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.subscription?.id,
      'the subscription',
    );
    const login = await shop.client.auth.login({ body: { email, password: PASSWORD } });
    const client = createClient(shop.url, login.token);
    const { id, customers } = (await client.auth.profile()).data!;
    expect(customers.map(one => one.id).toSorted()).toEqual([ownerId, id].toSorted());
    const { token } = await client.team.switchCustomer({ body: { customerId: id } });
    const { items } = (await createClient(shop.url, token).subscription.mySubscription({ body: {} })).data!;
    expect(items.map(one => one.id)).toEqual([subscriptionId]);
  });

  test('a member buys for themselves alone, and works for both customers then', async () => {
    const { client: member, email, userId } = await colleague('member');
    const { consent, metadata } = await beginOrder(shop.client);
    expect((await member.order.purchaseLogin({ body: consent })).code).toBe('8002');
    const switched = await member.team.switchCustomer({ body: { customerId: userId } });
    const own = createClient(shop.url, switched.token);
    expect((await own.auth.profile()).data).toMatchObject({
      customerId: userId,
      role: 'owner',
      customers: [{ id: ownerId, role: 'member' }],
    });
    // Whoever buys nothing is not led to an empty account by the next log-in.
    const login = await shop.client.auth.login({ body: { email, password: PASSWORD } });
    const again = (await createClient(shop.url, login.token).auth.profile()).data!;
    expect(again).toMatchObject({ customerId: ownerId, role: 'member' });

    expect((await own.order.purchaseLogin({ body: consent })).code).toBe('0000');
    await own.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
    await until(
      async () => (await own.subscription.mySubscription({ body: {} })).data!.total === 1,
      'their own subscription',
    );
    const { customers } = (await own.auth.profile()).data!;
    // Their order is that of the clock, which other tests advance.
    expect(new Map(customers.map(({ id, role }) => [id, role]))).toEqual(
      new Map([
        [ownerId, 'member'],
        [userId, 'owner'],
      ]),
    );
    const { items } = (await owner.client.subscription.mySubscription({ body: {} })).data!;
    expect(items.map(({ id }) => id)).toEqual([owner.subscriptionId]);
  });

  test('somebody else’s password, factors and sessions are not a colleague’s', async () => {
    const second = await colleague('owner');
    const { sessions } = (await second.client.account.sessions()).data!;
    expect(sessions).toHaveLength(1);
    const own = (await owner.client.account.sessions()).data!.sessions[0]!;
    expect((await second.client.account.endSession({ body: { id: own.id } })).code).toBe('8003');
    await second.client.account.endOtherSessions({ body: {} });
    await second.client.account.setLanguage({ body: { language: 'th' } });
    expect((await owner.client.auth.profile()).data).toMatchObject({ language: 'en' });
    const body = { action: 'delete' as const, currentPassword: PASSWORD };
    expect((await owner.client.auth.deleteAccount({ body })).code).toBe('8807');
    expect((await second.client.auth.deleteAccount({ body })).code).toBe('0000');
    expect(await peopleOf(owner.client)).toEqual([{ userId: ownerId, role: 'owner' }]);
  });
});
