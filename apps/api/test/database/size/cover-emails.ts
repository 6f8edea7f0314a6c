import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { createPayLinkSeal } from '../../../src/crypto/secrets.ts';
import { collectEmail } from '../../../src/modules/email/collected/index.ts';
import { sendCollectedTask } from '../../../src/modules/email/tasks/send-collected.ts';
import { type PayLinkDeps, readLinkedInvoice } from '../../../src/modules/payment/pay-link/pay-link.ts';
import { payTokenFor } from '../../../src/modules/payment/pay-link/token.ts';
import { proveHuman } from '../../helpers/people.ts';
import { taskNamed } from '../../helpers/task-named.ts';
import type { Coverage } from './coverage.ts';

const MINUTE_MS = 60_000;
/** Longer than an email waits for others of its kind. */
const COLLECTED_MS = 11 * MINUTE_MS;
const noJobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };

/** Covers emails that leave together, and the link of an invoice's email. */
export async function coverEmails(run: Coverage): Promise<void> {
  const { shop, app, mark } = run;
  const { email, subscriptionId } = await shop.customer(`elsewhere-${mark}`);
  await emailDevices(run, email, subscriptionId);
  const { id: invoiceId, customer_id: customerId } = await shop.db
    .selectFrom('invoice')
    .innerJoin('subscription', 'subscription.order_id', 'invoice.order_id')
    .select(['invoice.id', 'subscription.customer_id'])
    .where('subscription.id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  const payLinkSeal = createPayLinkSeal(Buffer.alloc(32));
  await readLinkedInvoice({ db: app, payLinkSeal } as PayLinkDeps, payTokenFor(payLinkSeal, invoiceId));
  await waitForNextRenewal(run, { customerId, subscriptionId, invoiceId });
}

/** Adds and deletes a device in a browser that is not known as its customer's: only that is emailed. */
async function emailDevices({ shop }: Coverage, email: string, subscriptionId: string): Promise<void> {
  const elsewhere = async () => {
    const body = { email, password: PASSWORD, humanCheck: await proveHuman(shop) };
    return createClient(shop.url, (await shop.client.auth.login({ body })).token!).subscription;
  };
  const leave = async () => {
    await shop.sweep();
    shop.clock.advance(COLLECTED_MS);
    await shop.db.updateTable('host').set({ seen_at: shop.clock.now() }).execute();
    await shop.sweep();
  };
  const added = await (await elsewhere()).addKey({ body: { subscriptionId, name: 'strange' } });
  await leave();
  await emailTo(shop, email, /device was added/);
  await (await elsewhere()).deleteKey({ body: { subscriptionId, keyId: added.data!.id } });
  await leave();
  await emailTo(shop, email, /device was deleted/);
}

/** A receipt that its customer waits for; a reminder of the morning, which waits for what the next renewal sends that day. */
async function waitForNextRenewal(
  { shop, app }: Coverage,
  of: { customerId: string; subscriptionId: string; invoiceId: string },
): Promise<void> {
  let now = new Date(`${bangkokDay(shop.clock.now())}T10:00:00+07:00`);
  const deps = { db: app, clock: { now: () => now }, jobs: noJobs };
  const receipt = { template: 'renewed', customerId: of.customerId, subjectId: of.invoiceId } as const;
  await collectEmail(deps, receipt, { kind: 'receipt', pace: 'day' });
  const reminder = { ...receipt, template: 'renewalAhead', subjectId: of.subscriptionId } as const;
  await collectEmail(deps, reminder, { kind: 'renewalAhead', pace: 'day' });
  await shop.db
    .updateTable('subscription')
    .set({ due_at: new Date(now.getTime() + 60 * MINUTE_MS) })
    .where('id', '=', of.subscriptionId)
    .execute();
  now = new Date(now.getTime() + COLLECTED_MS);
  await taskNamed([sendCollectedTask], 'sendCollected', deps).run();
}
