import { beginOrder, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { nextDue } from '../../src/compose/next-due.ts';
import { asApplication } from '../../src/database/scope.ts';
import { dayInEmails, savedCard } from '../subscription/renewing.ts';

const DAY_MS = 24 * 60 * 60_000;
type Cycle = 1 | 3 | 6 | 12;

/** Days before the end of a period on which its customer is told that the next one will be charged (T8). */
const REMINDER_DAYS: Record<Cycle, readonly number[]> = { 1: [3], 3: [7], 6: [7], 12: [30, 7] };

/** Buys subscriptions of these cycles in one sitting, with one card. The first is monthly. */
export async function customerWithMany(shop: TestShop, name: string, cycles: readonly Cycle[]) {
  const customer = await shop.customer(name);
  const { id: cardId } = await savedCard(customer.client);
  for (const cycleCount of cycles.slice(1)) {
    const { consent } = await beginOrder(customer.client, { cycleCount });
    const bought = await customer.client.order.purchaseLogin({ body: { ...consent, cardId } });
    if (bought.code !== '0000') throw new Error(`The order was refused: ${bought.code}`);
  }
  const rows = () =>
    shop.db
      .selectFrom('subscription')
      .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
      .innerJoin('customer', 'customer.id', 'subscription.customer_id')
      .select([
        'subscription.id',
        'subscription.status',
        'cycle_count',
        'subscription.customer_id',
        'static_ip.address',
      ])
      .where('customer.email', '=', customer.email)
      .execute();
  const owned = await until(async () => {
    await shop.sweep();
    const all = await rows();
    return all.length === cycles.length && all.every(({ status }) => status === 'active') && all;
  }, `${cycles.length} subscriptions`);
  return { ...customer, customerId: owned[0]!.customer_id, owned };
}
type Many = Awaited<ReturnType<typeof customerWithMany>>;

/** Advances the shop's clock from one due instant to the next. */
export async function liveUntil(shop: TestShop, end: Date): Promise<void> {
  for (;;) {
    const now = shop.clock.now();
    const due = await asApplication(() => nextDue(shop.db, now));
    const next = due && due < end ? due : end;
    shop.clock.advance(next.getTime() - now.getTime());
    await shop.sweep();
    // Receipts are rendered beside the jobs, and leave on the day of their payment.
    if (await hasDocumentsDue(shop)) {
      await until(async () => !(await hasDocumentsDue(shop)), 'the documents');
      await shop.sweep();
    }
    if (next >= end) return;
  }
}

async function hasDocumentsDue({ db, clock }: TestShop): Promise<boolean> {
  const due = await db
    .selectFrom('invoice')
    .select('id')
    .where('documents_due_at', '<=', clock.now())
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** A client of the customer after days have passed. */
export const logInAgain = async (shop: TestShop, { email }: { email: string }) =>
  createClient(shop.url, (await shop.client.auth.login({ body: { email, password: PASSWORD } })).token);

export type ReadEmail = { Subject: string; Text: string; files: string[] };

/** Every email to an address, oldest first, with the names of its documents. */
export async function emailsTo({ sandboxUrl }: TestShop, address: string): Promise<ReadEmail[]> {
  const api = `${sandboxUrl}/mail/api/v1`;
  const query = encodeURIComponent(`to:${address}`);
  const { messages } = (await (await fetch(`${api}/search?limit=2000&query=${query}`)).json()) as {
    messages: { ID: string }[];
  };
  const read = await Promise.all(
    messages.map(async ({ ID }) => (await fetch(`${api}/message/${ID}`)).json()),
  );
  return (read as (ReadEmail & { Attachments: { FileName: string }[] })[])
    .map(({ Subject, Text, Attachments }) => ({
      Subject,
      Text: Text.replace(/[^\S\n]+/g, ' '),
      files: Attachments.map(({ FileName }) => FileName),
    }))
    .reverse();
}

/**
 * What the rules promise a customer by email until now, and how often their emails say it. Announcements that may still wait
 * for the evening of their day are left out.
 */
export async function promised(
  shop: TestShop,
  { customerId, owned }: Many,
  emails: readonly ReadEmail[],
): Promise<{ what: string; times: number; found: number }[]> {
  const invoices = await shop.db
    .selectFrom('invoice')
    .select('number')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'paid')
    .execute();
  const periods = await shop.db
    .selectFrom('subscription_period')
    .innerJoin('subscription', 'subscription.id', 'subscription_id')
    .select(['subscription_id', 'ends_at', 'cycle_count'])
    .where('subscription.customer_id', '=', customerId)
    .execute();
  const files = emails.flatMap(email => email.files);
  const countOf = (pattern: RegExp) =>
    emails.reduce((sum, { Subject, Text }) => sum + [...`${Subject}\n${Text}`.matchAll(pattern)].length, 0);
  const settled = new Date(shop.clock.now().getTime() - DAY_MS);
  return [
    ...invoices.map(({ number }) => ({
      what: `receipt ${number}`,
      times: 1,
      found: files.filter(file => file === `${number}.pdf`).length,
    })),
    ...owned.map(({ address }) => ({
      what: `${address} is ready`,
      times: 1,
      found: countOf(
        new RegExp(
          `VPN is ready: ${address}$|^Solo ${address}: Bangkok( · [\\d-]+ · THB\\s[\\d.,]+)?$`,
          'gm',
        ),
      ),
    })),
    ...periods.map(({ subscription_id, ends_at, cycle_count }) => {
      const { address } = owned.find(({ id }) => id === subscription_id)!;
      const due = REMINDER_DAYS[cycle_count as Cycle].filter(
        days => ends_at.getTime() - days * DAY_MS < settled.getTime(),
      );
      const charged = dayInEmails(new Date(ends_at.getTime() - DAY_MS));
      const alone = `IP ${address} renews on ${dayInEmails(ends_at)}`;
      const row = `^Solo ${address}: .+, charged on ${charged}$`;
      return {
        what: `${address} renews on ${dayInEmails(ends_at)}`,
        times: due.length,
        found: countOf(new RegExp(`${alone}|${row}`, 'gm')),
      };
    }),
  ];
}
