import { join } from 'node:path';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { createClock } from '@fixpoint/sandbox/clock.ts';
import { createIds } from '@fixpoint/sandbox/ids.ts';
import { createStore } from '@fixpoint/sandbox/store.ts';
import { newCustomer } from '@fixpoint/sandbox/stripe/objects/customer.ts';
import { newCard, noBilling } from '@fixpoint/sandbox/stripe/objects/payment-method.ts';
import { createStripeState } from '@fixpoint/sandbox/stripe/state.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import pg from 'pg';

/** Customers of a filled shop per subscription that is charged automatically, with a margin. */
const CUSTOMERS_A_RENEWAL = 1.6;

/** The subscriptions to renew, and the references of customer and saved card at the gateway. */
const chosen = (count: number) => `create table bench.due as
  select sub.id as subscription_id, gateway_customer.provider_ref as gateway_customer, method.provider_ref as card
  from subscription sub join customer on customer.id = sub.customer_id
    join saved_method method on method.customer_id = sub.customer_id and method.is_default
    join gateway_customer on gateway_customer.id = method.gateway_customer_id
  where sub.status = 'active' and customer.status = 'active' order by sub.id limit ${count}`;

/**
 * Fills the shop of a data folder, chooses the subscriptions to renew (`bench.due`), and saves their cards in the sandbox.
 * Starts no process of the stack.
 */
export async function prepare(dataDir: string, count: number): Promise<void> {
  const postgres = await startPostgres({ dataDir, durable: false });
  const owner = new pg.Client(postgres.urls.owner);
  try {
    await migrate(postgres.urls.owner);
    const customers = Math.ceil((count * CUSTOMERS_A_RENEWAL) / 100) * 100;
    await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
    await owner.connect();
    await owner.query('create schema bench');
    await owner.query(chosen(count));
    await owner.query('create unique index on bench.due (subscription_id)');
    const { rows } = await owner.query<Card>('select distinct gateway_customer, card from bench.due');
    saveCards(join(dataDir, 'sandbox'), rows);
  } finally {
    await owner.end();
    await postgres.stop();
  }
}

type Card = { gateway_customer: string; card: string };

/** Writes the cards to the sandbox's store: 100,000 calls would take longer than the renewals. */
function saveCards(folder: string, cards: readonly Card[]): void {
  const store = createStore(folder);
  const clock = createClock();
  const none = { onEvent: () => {}, onTask: () => {}, origin: '' };
  const stripe = createStripeState(store, clock, createIds(store), none);
  const data = { number: '4242424242424242', expMonth: 12, expYear: 2034, cvcGiven: true };
  for (const { gateway_customer: customer, card } of cards) {
    stripe.customers.put(customer, newCustomer(customer, clock.seconds(), customer.toUpperCase()));
    stripe.cards.put(card, { card: 'visa', setUp: true, used: true });
    stripe.paymentMethods.put(card, {
      ...newCard(card, clock.seconds(), data, noBilling),
      customer,
    });
  }
  store.close();
}
