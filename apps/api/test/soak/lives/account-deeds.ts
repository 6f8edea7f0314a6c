import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { drained } from '@fixpoint/testkit/storm/storm.ts';
import { expect } from 'vitest';
import { allOf, type Deed, isServed, moneyOf, type World } from './deeds.ts';
import { hasLeft } from './left.ts';
import { beginGiven, beginLife, type Life } from './life.ts';
import { lookAt } from './well.ts';

type Action = 'disable' | 'delete';

/** What is personal is erased when the last email has left: here at once, as if the longest time for that were over. */
async function erase({ shop: { db, sweep } }: World, life: Life): Promise<void> {
  await drained(db);
  const { customer_id } = await life.row();
  await db
    .updateTable('customer')
    .set({ erase_at: new Date(0) })
    .where('id', '=', customer_id)
    .execute();
  await sweep();
  const { email } = await db
    .selectFrom('customer')
    .select('email')
    .where('id', '=', customer_id)
    .executeTakeFirstOrThrow();
  expect(email).toBe(`${customer_id}@deleted.invalid`);
}

/** Turns the renewal of all that is his off, and ends his account. What he has not used of it does not come back. */
const leave = (action: Action): Deed => ({
  name: action === 'delete' ? 'deletes his account' : 'disables his account',
  can: () => true,
  async run(world, life) {
    const { shop } = world;
    const client = await life.now();
    const end = () => client.auth.deleteAccount({ body: { action, currentPassword: PASSWORD } });
    const his = allOf(world, life);
    const going = his.filter(({ known }) => isServed(known) && known.renews && !known.given);
    if (going.length > 0) expect((await end()).code, 'not while something goes on').toBe('8007');
    for (const { subscriptionId: id, known, post } of going) {
      expect((await client.subscription.cancelSubscription({ body: { id } })).code).toBe('0000');
      known.renews = false;
      post.counted.cancelled += 1;
    }
    await shop.sweep();
    // What was owed is over with that.
    await lookAt(world, life);
    const money = await moneyOf(world, life);
    expect((await end()).code).toBe('0000');
    life.post.counted.left += 1;
    const left = { at: shop.clock.now(), back: false };
    for (const { known } of his) Object.assign(known, { status: 'expired', left });
    expect((await client.auth.profile()).code, 'he is logged out').toBe('8001');
    const again = await shop.client.auth.login({ body: { email: life.email, password: PASSWORD } });
    expect(again.code, 'and does not come in again').toBe('8005');
    await shop.sweep();
    if (action === 'delete') await erase(world, life);
    for (const one of his) await hasLeft(world, one);
    expect(await moneyOf(world, life), 'no money comes back').toBe(money);
  },
});

/** What a customer does with his account, and what is given to him. */
export const accountDeeds: readonly Deed[] = [
  ...[leave('disable'), leave('delete')],
  {
    name: 'comes back as a stranger',
    afterLeaving: true,
    can: ({ left }) => left?.back === false,
    async run({ shop, lives }, life, dice) {
      const before = await life.row();
      const by = dice.pick(['card', 'account'] as const);
      const again = await beginLife(shop, life.email, { by, friend: life.known.friend }, life.post);
      expect((await again.row()).customer_id, 'he has another account').not.toBe(before.customer_id);
      const { data } = await again.client.subscription.mySubscription({ body: {} });
      expect(data!.total, 'and nothing of the old one').toBe(1);
      for (const { email, known } of lives) if (email === life.email && known.left) known.left.back = true;
      lives.push(again);
    },
  },
  {
    name: 'is given a subscription by a friend',
    can: ({ friend }) => friend,
    async run({ shop, lives }, life) {
      life.known.friend = false;
      lives.push(await beginGiven(shop, life, 'USD'));
    },
  },
];
