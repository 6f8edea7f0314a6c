import { givenLargeAccount } from '@fixpoint/testkit/given/large-account.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { CompiledQuery } from 'kysely';
import { readArguments } from './command/arguments.ts';
import { withTestShop } from './command/test-shop.ts';
import { printTimes } from './command/times.ts';
import { verdict } from './command/verdict.ts';

/**
 * `npm run bench -- lists [subscriptions] [runs]` reads the first page of each list over HTTP, as a customer of 200
 * subscriptions with 1,000 invoices. Goal: each within 100 ms.
 */
const { positionals } = readArguments('lists [subscriptions] [runs]', 2, {});
const subscriptions = Number(positionals[0] ?? 200);
const runs = Number(positionals[1] ?? 50);
const INVOICES_EACH = 5;
const GOAL_MS = 100;

await withTestShop(async shop => {
  const { client, subscriptionId } = await shop.customer('company');
  const run = async (text: string, values: readonly unknown[]) =>
    (await shop.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))).rows;
  await givenLargeAccount(run, { subscriptionId, count: subscriptions, invoicesEach: INVOICES_EACH });
  const slowest: number[] = [];
  for (const [name, read] of Object.entries(firstPages(client)))
    slowest.push(await printTimes(name, runs, read));
  const goal = `each first page within ${GOAL_MS} ms, for ${subscriptions * INVOICES_EACH} invoices`;
  console.log(verdict(goal, Math.max(...slowest) <= GOAL_MS));
});

/** Each list as its screen asks for it, and with a search. */
function firstPages({ subscription, billing }: TestShop['client']): Record<string, () => Promise<unknown>> {
  const answered = async (call: Promise<{ code: string }>) => {
    const { code } = await call;
    if (code !== '0000') throw new Error(`The list answered ${code}`);
  };
  return {
    subscriptions: () => answered(subscription.mySubscription({ body: { size: 20 } })),
    'one by its label': () => answered(subscription.mySubscription({ body: { search: 'Office 117' } })),
    invoices: () => answered(billing.listMyBilling({ body: { size: 20 } })),
    'invoices of one': () => answered(billing.listMyBilling({ body: { search: 'Office 117' } })),
    'invoices by amount': () => answered(billing.listMyBilling({ body: { sort: 'highest' } })),
    'billed years': () => answered(billing.billedYears()),
  };
}
