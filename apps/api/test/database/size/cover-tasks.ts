import { beginOrder, cardPaymentOf, until } from '@fixpoint/testkit/buyer.ts';
import { sql } from 'kysely';
import {
  endReservation,
  extendReservation,
  reserveAddress,
} from '../../../src/modules/provisioning/index.ts';
import { pay, stateOf } from './cover-purchase.ts';
import type { Coverage } from './coverage.ts';

/** Makes something of every kind due, so that every scheduled task and its jobs process it. */
export async function coverTasks(run: Coverage): Promise<void> {
  const { shop } = run;
  const patient = await waitForHost(run);
  await giveUp(run);
  await becomeDue(run);
  await shop.sweep();
  const placed = async () => (await stateOf(shop.client, patient)).subscription?.status === 'active';
  await until(placed, 'a host for who waited');
}

/** Buys while no host is available. @returns the order's metadata */
async function waitForHost({ shop, mark }: Coverage): Promise<string> {
  const turn = (from: string, to: string) =>
    sql`update host set status = ${to} where status = ${from} and region_id = 'th-bkk'`.execute(shop.db);
  await turn('active', 'retired');
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, email: `patient-${mark}@example.com`, language: 'en' as const };
  const bought = await shop.client.order.purchase({ body });
  await pay(shop, shop.client, metadata, cardPaymentOf(bought.data));
  await turn('retired', 'active');
  return metadata;
}

/** Abandons three orders: one is polled, one expires, and one was never sent to the provider. */
async function giveUp({ shop, mark }: Coverage): Promise<void> {
  for (const name of ['open', 'over', 'unsent']) {
    const { consent } = await beginOrder(shop.client);
    const body = { ...consent, email: `${name}-${mark}@example.com`, language: 'en' as const };
    await shop.client.order.purchase({ body });
  }
  const ordered = (name: string) =>
    sql`select id from shop_order where email = ${`${name}-${mark}@example.com`}`;
  const attemptOf = (name: string) =>
    sql`invoice_id in (select id from invoice where order_id in (${ordered(name)}))`;
  const now = shop.clock.now();
  await sql`update attempt set ask_at = ${now} where ${attemptOf('open')}`.execute(shop.db);
  await sql`update attempt set tries = 0, provider_ref = null, status = 'created' where ${attemptOf('unsent')}`.execute(
    shop.db,
  );
  await sql`update shop_order set expires_at = ${now} where id in (${ordered('over')} union ${ordered('unsent')})`.execute(
    shop.db,
  );
}

/** Makes due: a missing fee, a refund, notices, guests to erase, expired invoices, a certificate, files, cards and addresses. */
async function becomeDue({ shop, app, mark }: Coverage): Promise<void> {
  const { subscriptionId } = await shop.customer(`long-${mark}`);
  await reserveAddress({ clock: shop.clock }, app, subscriptionId);
  await extendReservation(app, subscriptionId, new Date(shop.clock.now().getTime() + 365 * 24 * 60 * 60_000));
  await endReservation(app, subscriptionId);
  const now = shop.clock.now();
  for (const due of [
    sql`update dispute set ask_at = ${now}`,
    sql`insert into reconciliation (provider, due_at, balance_due_at) values ('stripe', ${now}, ${now}::timestamptz + interval '7 days')
      on conflict (provider) do update set due_at = excluded.due_at`,
    sql`update assignment set server_not_after = ${now} where subscription_id = ${subscriptionId}`,
    sql`update static_ip set reserved_until = ${now} where address in
      (select address from static_ip where reserved_until is not null limit 20)`,
    sql`update static_ip set notify_at = ${now} where address in
      (select address from static_ip where reserved_until > ${now} limit 5)`,
    sql`update saved_method set expiry_year = 2020, notify_at = ${now} where id in
      (select id from saved_method where is_default and method = 'card' limit 20)`,
    sql`update vpn_key set notify_at = ${now} where id in
      (select vpn_key.id from vpn_key join subscription s on s.id = subscription_id
        where notify_at is not null and s.status = 'active' order by cancel_at_period_end limit 20)`,
    sql`update attempt set ask_at = ${now}, fee = null, updated_at = ${now}::timestamptz - interval '8 d'
      where id = (select id from attempt where status = 'succeeded' order by created_at limit 1)`,
    sql`update refund set ask_at = ${now} where id = (select id from refund order by created_at desc limit 1)`,
    sql`update refund set ask_at = ${now} where id =
      (select id from refund where updated_at < ${now}::timestamptz - interval '31 d' limit 1)`,
    sql`update provider_event set processed_at = null, received_at = ${now}::timestamptz - interval '1 h'
      where event_id in (${`evt_dp_${mark}`}, ${`evt_re_${mark}`})`,
    sql`update attempt set updated_at = updated_at - interval '20 y' where id in
      (select id from attempt where status = 'succeeded' and ask_at is null order by created_at limit 20)`,
    sql`update invoice set buyer = '{}', buyer_is = 'pseudonym', created_at = created_at - interval '20 y',
      paid_at = paid_at - interval '20 y' where id in (select invoice_id from attempt order by updated_at limit 20)`,
    sql`update provider_event set received_at = received_at - interval '20 y' where event_id in
      (select event_id from provider_event where processed_at is not null limit 20)`,
    sql`update shop_order set expires_at = ${now}::timestamptz - interval '31 d' where id in
      (select id from shop_order where status = 'expired' and email is not null limit 20)`,
  ]) {
    await due.execute(shop.db);
  }
}
