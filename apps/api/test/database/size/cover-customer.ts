import { EXPORT_PATH } from '@fixpoint/contract/invoice-export.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { sql } from 'kysely';
import { personal } from '../../../src/compose/personal.ts';
import { eraseCustomer } from '../../../src/modules/account/erase-accounts.ts';
import { beginSession } from '../../../src/modules/account/sessions.ts';
import { unclaimedPayment } from '../../../src/modules/checkout/index.ts';
import {
  bookOutOfBandRefund,
  failedRefund,
  planOutOfBandRefund,
  planRefund,
  refundInvoice,
  retryRefund,
} from '../../../src/modules/payment/index.ts';
import { signUp } from '../../helpers/people.ts';
import type { Coverage } from './coverage.ts';

/** The server may use a generic plan from the sixth execution on, which must be recorded too. */
const TIMES = 7;

/** Covers the calls of the shop's most active customer, with dozens of orders, until they leave. */
export async function coverCustomer(run: Coverage): Promise<void> {
  const { shop, app } = run;
  const { id } = await bestCustomer(run);
  const { accessToken } = await beginSession(app, shop.clock, id, { browser: 'Chrome', system: 'Android' });
  const client = createClient(shop.url, accessToken);
  for (let n = 0; n < TIMES; n += 1) await readAll(client, shop.url);
  await workWithKeys(run);
  await getRefund(run);
  await leave(run, id, client);
}

async function bestCustomer({ shop }: Coverage): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from subscription join customer on customer.id = customer_id
    where customer.status = 'active' group by 1 order by count(*) desc, 1 limit 1`.execute(shop.db);
  return rows[0]!;
}

async function readAll(client: TestClient, url: string): Promise<void> {
  // Several at once, so that their sessions are batched.
  await Promise.all(Array.from({ length: 8 }, () => client.auth.profile()));
  const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
  await client.subscription.mySubscription({ body: { status: 'active', page: 2, size: 5 } });
  await client.subscription.mySubscription({ body: { sort: 'soonest' } });
  await client.subscription.mySubscription({ body: { page: 9 } });
  for (const search of ['203.0', 'nothing at all'])
    await client.subscription.mySubscription({ body: { search, sort: 'name' } });
  await client.subscription.renameSubscription({ body: { id: items[0]!.id, label: 'Office' } });
  await client.subscription.connected();
  await client.subscription.measure({ body: { id: items[0]!.id } });
  await client.subscription.getSubscription({ query: { id: items[0]!.id } });
  const of = { id: items[0]!.id, deviceTime: '2026-11-22T00:00:00.000Z' };
  const diagnosed = client.subscription.diagnose({ body: of }); // waits for a host that says nothing
  await client.subscription.getBandwidth({ params: { id: items[0]!.id } });
  const { data } = await client.billing.myBilling();
  await client.billing.myBilling({ query: { page: 9 } });
  await client.billing.listMyBilling({ body: { status: 'paid', size: 5 } });
  await client.billing.listMyBilling({ body: { productType: 'renewal', sort: 'highest' } });
  await client.billing.listMyBilling({ body: { subscriptionId: 'sub_nobodys' } });
  await client.billing.getBilling({ params: { id: data!.items[0]!.id } });
  for (const sort of ['oldest', 'highest'] as const)
    await client.billing.listMyBilling({ body: { search: '203.0', year: 2026, sort } });
  const [billed] = (await client.billing.billedYears()).data!.years;
  for (const format of ['csv', 'zip'] as const) {
    const body = { year: billed!.year, format };
    const { ticket } = (await client.billing.exportInvoices({ body })).data!;
    await (await fetch(`${url}${EXPORT_PATH}?${new URLSearchParams({ ticket })}`)).arrayBuffer();
  }
  await client.allowList.addresses();
  await client.allowList.exportAddresses();
  const { path } = (await client.allowList.setUrl({ body: { on: true } })).data!;
  await (await fetch(`${url}${path}.txt`)).text();
  await client.allowList.setUrl({ body: { on: false } });
  const company = { name: 'Large Ltd', country: 'HK', line1: '1 Main Rd', city: 'Central' };
  await client.billing.setCompany({ body: { company } });
  await client.billing.getCompany();
  await client.billing.setCompany({ body: { company: null } });
  await client.payment.getCard();
  await changeCards(client);
  await diagnosed;
  await client.account.exportData();
}

/** Uses an unknown id and the id of the only card. */
async function changeCards(client: TestClient): Promise<void> {
  const { cards } = (await client.payment.getCard()).data!;
  for (const id of ['met_nobodys0000000000', ...cards.map(card => card.id)]) {
    await client.payment.updPayment({ body: { makeDefault: id } });
  }
  await client.payment.updPayment({ body: { setupIntent: 'seti_nobodys' } });
  for (const id of ['met_nobodys0000000000', ...cards.map(card => card.id)]) {
    await client.payment.updPayment({ body: { remove: id } });
  }
}

async function workWithKeys({ shop, mark }: Coverage): Promise<void> {
  const { client, subscriptionId, email } = await shop.customer(`keys-${mark}`, 'plus');
  // The same request twice, as after a lost answer.
  const press = () =>
    client.subscription.addKey(
      { body: { subscriptionId, name: 'phone' } },
      { 'idempotency-key': `phone-${subscriptionId}` },
    );
  const { id } = (await press()).data!;
  await press();
  for (const revokeEarlier of [false, true]) {
    const body = { subscriptionId, keyId: id, revokeEarlier, blockWhenEnded: revokeEarlier };
    await client.subscription.downloadKey({ body });
  }
  const { token } = (await client.subscription.linkKey({ body: { subscriptionId, keyId: id } })).data!;
  await shop.client.subscription.fetchKey({}, { authorization: `Bearer ${token}` });
  for (const rateMbit of [5, null]) {
    await client.subscription.adjustBw({ body: { id: subscriptionId, keys: [{ id, rateMbit }] } });
  }
  for (const forward of [{ port: 8080, keyId: id }, null]) {
    await client.subscription.forwardPort({ body: { id: subscriptionId, forward } });
  }
  const day = bangkokDay(shop.clock.now());
  await shop.host.shop.report({
    revision: 0,
    agentVersion: 'run',
    openvpnVersion: 'none',
    epoch: '0'.repeat(32),
    drift: [],
    subscriptions: [{ id: subscriptionId, state: 'up' }],
    usage: [{ keyId: id, day, downBytes: 9e12, upBytes: 0 }],
  });
  await emailTo(shop, email, /used/);
  await client.subscription.deleteKey({ body: { subscriptionId, keyId: id } });
}

/** Covers refunds: in part, tried twice, then out of band. Scheduled tasks send its email and document. */
async function getRefund({ shop, app, mark }: Coverage): Promise<void> {
  const { client } = await shop.customer(`credited-${mark}`);
  const { id, number } = (await client.billing.myBilling()).data!.items[0]!;
  // Scheduled tasks find the work instead of jobs.
  const deps = {
    db: app,
    clock: shop.clock,
    jobs: { enqueue: async () => undefined, enqueueAll: async () => undefined },
  };
  const { code } = await planRefund(deps, number, { reason: 'A bad day', amount: 50_00 });
  const { creditNote } = await refundInvoice(deps, number, { reason: 'A bad day', amount: 50_00 }, code);
  const fail = () =>
    sql<{ id: string }>`update refund set status = 'failed', ask_at = null
      where credit_note_id = (select id from credit_note where number = ${creditNote}) returning id`.execute(
      shop.db,
    );
  await fail();
  await retryRefund(deps, creditNote);
  await shop.sweep();
  const [failed] = (await fail()).rows;
  const outOfBand = await planOutOfBandRefund(app, failedRefund, failed!.id, { reason: 'To his bank' });
  await bookOutOfBandRefund(deps, failedRefund, failed!.id, { reason: 'To his bank' }, outOfBand.code);
  await unclaimedPayment(app, id).catch(() => 'nothing came beyond it');
  const { documents } = (await client.billing.getBilling({ params: { id } })).data!;
  for (const document of documents) await client.billing.getDocument({ params: { id: document.id } });
}

async function leave({ shop, app, mark }: Coverage, id: string, client: TestClient): Promise<void> {
  const { email } = await signUp(shop, `lender-${mark}@example.com`);
  await sql`update customer set password_hash = (select password_hash from customer where email = ${email})
    where id = ${id}`.execute(shop.db);
  const end = () => client.auth.deleteAccount({ body: { action: 'delete', currentPassword: PASSWORD } });
  await end();
  await sql`update subscription set cancel_at_period_end = true where customer_id = ${id}`.execute(shop.db);
  const left = await end();
  if (left.code !== '0000') throw new Error(`deleteAccount answered ${left.code}`);
  await eraseCustomer(app, personal, id);
}
