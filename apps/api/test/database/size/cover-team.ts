import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { planClosing } from '../../../src/modules/account/index.ts';
import { notifyFileExpiry } from '../../../src/modules/key/notify-file-expiry.ts';
import { proveHuman, signUp } from '../../helpers/people.ts';
import { bearer, invitationTo, newColleague, openSocket } from '../../team/people.ts';
import type { Coverage } from './coverage.ts';

const noJobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };
type Owner = { client: TestClient; subscriptionId: string };

/** Makes the file of a member's device expire soon. */
async function coverEndOfFile({ shop, app }: Coverage, { subscriptionId }: Owner, keyId: string) {
  const now = shop.clock.now();
  const notAfter = new Date(now.getTime() + 5 * 24 * 60 * 60_000);
  await shop.db.updateTable('certificate').set({ not_after: notAfter }).where('key_id', '=', keyId).execute();
  await shop.db.updateTable('vpn_key').set({ notify_at: now }).where('id', '=', keyId).execute();
  const { customer_id: customerId } = await shop.db
    .selectFrom('subscription')
    .select('customer_id')
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  await notifyFileExpiry({ db: app, systemClock: shop.clock, jobs: noJobs }, { subscriptionId, customerId });
}

/** Covers a member with a device of their own. */
async function coverMember(of: Coverage, owner: Owner): Promise<void> {
  const { shop, mark } = of;
  const { subscriptionId } = owner;
  const email = `member-${mark}@example.com`;
  const part = { subscriptionId, devices: 1 };
  const { client, userId, token } = await newColleague(shop, owner.client, email, 'member', part);
  const { data } = await client.subscription.addKey({ body: { subscriptionId, name: 'members' } });
  const body = { subscriptionId, keyId: data!.id };
  await client.member.subscriptions();
  await client.member.subscription({ query: { id: subscriptionId } });
  await client.subscription.downloadKey({ body });
  await client.subscription.linkKey({ body });
  await coverEndOfFile(of, owner, data!.id);
  await client.subscription.getBandwidth({ params: { id: subscriptionId } });
  await client.subscription.diagnose({
    body: { id: subscriptionId, deviceTime: shop.clock.now().toISOString() },
  });
  await client.subscription.connected();
  await client.account.exportData();
  const socket = await openSocket(shop, token);
  const heard = new Promise(resolve => socket.once('SUBSCRIPTION', resolve));
  await owner.client.subscription.renameSubscription({ body: { id: subscriptionId, label: 'Office' } });
  await heard;
  socket.disconnect();
  await owner.client.team.allowances({ query: { subscriptionId } });
  await owner.client.team.setAllowance({ body: { subscriptionId, userId, devices: 0 } });
  await client.subscription.deleteKey({ body });
  await owner.client.subscription.addKeyFor({ body: { subscriptionId, userId, name: 'given' } });
  await client.team.switchCustomer({ body: { customerId: userId } });
}

/** Covers a founder with an app and work elsewhere, who leaves, and the last owner, who ends what is left. */
async function coverFounder({ shop, app, mark }: Pick<Coverage, 'shop' | 'app' | 'mark'>): Promise<void> {
  const [founder, elsewhere] = [
    await signUp(shop, `founder-${mark}@example.com`),
    await signUp(shop, `employer-${mark}@example.com`),
  ];
  await elsewhere.client.team.invite({ body: { email: founder.email, role: 'buyer' } });
  await founder.client.team.joinTeam({ body: { invitation: await invitationTo(shop, founder.email) } });
  await founder.client.account.beginTotp();
  const heir = await newColleague(shop, founder.client, `heir-${mark}@example.com`, 'owner');
  await founder.client.team.leave();
  await planClosing(app, heir.customerId);
  const ended = { action: 'delete' as const, currentPassword: PASSWORD };
  const { code } = await heir.client.auth.deleteAccount({ body: ended });
  if (code !== '0000') throw new Error(`deleteAccount answered ${code}`);
}

/** Covers people who work for a customer: invited, with another role, of two customers, handed over to, removed; the founder too. */
export async function coverTeam(run: Coverage): Promise<void> {
  const { shop, mark } = run;
  const owner = await shop.customer(`owner-${mark}`);
  const guest = await shop.customer(`guest-${mark}`);
  const { team } = owner.client;
  const ownerId = (await owner.client.auth.profile()).data!.id;
  const guestId = (await guest.client.auth.profile()).data!.id;

  const body = { email: `late-${mark}@example.com`, role: 'buyer' as const };
  const { id } = (await team.invite({ body: { ...body, subscriptionId: owner.subscriptionId } })).data!;
  await shop.client.team.getInvitation({}, bearer(await invitationTo(shop, body.email)));
  await team.resendInvitation({ body: { id } });
  await team.withdrawInvitation({ body: { id } });

  await team.invite({ body: { email: guest.email, role: 'buyer' } });
  await guest.client.team.joinTeam({ body: { invitation: await invitationTo(shop, guest.email) } });
  const buyer = await newColleague(shop, owner.client, `colleague-${mark}@example.com`, 'buyer');
  await buyer.client.subscription.addKey({
    body: { subscriptionId: owner.subscriptionId, name: 'theirs' },
  });
  await coverMember(run, owner);
  await owner.client.subscription.getSubscription({ query: { id: owner.subscriptionId } });
  await team.people();
  await team.actions();
  await buyer.client.account.exportData();
  for (const role of ['member', 'owner'] as const)
    await team.setRole({ body: { userId: buyer.userId, role } });
  await owner.client.allowList.setUrl({ body: { on: true } });
  await team.remove({ body: { userId: buyer.userId } });

  const login = { email: guest.email, password: PASSWORD, humanCheck: await proveHuman(shop) };
  const member = createClient(shop.url, (await shop.client.auth.login({ body: login })).token!);
  const { token, code } = await member.team.switchCustomer({ body: { customerId: ownerId } });
  if (!token) throw new Error(`switchCustomer answered ${code}`);
  await team.handOver({ body: { userId: guestId } });
  const switched = createClient(shop.url, token);
  const handedOver = (await owner.client.auth.profile()).data!.id;
  await switched.team.remove({ body: { userId: handedOver } });
  await switched.auth.profile();
  await switched.team.actions();
  await switched.account.exportAccount();
  await coverFounder(run);
}
