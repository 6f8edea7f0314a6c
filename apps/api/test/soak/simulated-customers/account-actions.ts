import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import { expect } from 'vitest';
import { allOf, type CustomerAction, isServed, moneyOf, type Simulation } from './actions.ts';
import { beginGiven, beginSimulated, type Simulated } from './customer.ts';
import { recordWaiting } from './emails.ts';
import { creditLeftOf, expectCreditEnded, expectEndedAccount } from './ended-account.ts';
import { updateKnown } from './invariants.ts';

type Action = 'disable' | 'delete';

/** Erases personal data once the last email has left; here at once, without the usual delay. */
async function erase({ shop: { db, sweep } }: Simulation, simulated: Simulated): Promise<void> {
  await untilJobsDone(db);
  const { customer_id } = await simulated.row();
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

/** Turns renewal of all their subscriptions off and ends their account. Credit is refunded, unused time is not. */
const leave = (action: Action): CustomerAction => ({
  name: action === 'delete' ? 'deletes his account' : 'disables his account',
  can: () => true,
  async run(simulation, simulated) {
    const { shop } = simulation;
    const client = await simulated.now();
    const end = () => client.auth.deleteAccount({ body: { action, currentPassword: PASSWORD } });
    const his = allOf(simulation, simulated);
    const going = his.filter(({ known }) => isServed(known) && known.renews && !known.given);
    if (going.length > 0) expect((await end()).code, 'not while something goes on').toBe('8007');
    for (const { subscriptionId: id, known, post } of going) {
      expect((await client.subscription.cancelSubscription({ body: { id } })).code).toBe('0000');
      known.renews = false;
      post.counted.cancelled += 1;
    }
    await shop.sweep();
    // Past-due invoices end with the account.
    await updateKnown(simulation, simulated);
    const before = {
      money: await moneyOf(simulation, simulated),
      credit: await creditLeftOf(simulation, simulated),
    };
    await recordWaiting(simulation, simulated);
    expect((await end()).code).toBe('0000');
    simulated.post.counted.left += 1;
    const left = { at: shop.clock.now(), back: false };
    for (const { known } of his) Object.assign(known, { status: 'expired', left });
    simulation.limited.delete(simulated.email);
    expect((await client.auth.profile()).code, 'he is logged out').toBe('8001');
    const again = await shop.client.auth.login({ body: { email: simulated.email, password: PASSWORD } });
    expect(again.code, 'and does not come in again').toBe('8005');
    await shop.sweep();
    if (action === 'delete') await erase(simulation, simulated);
    for (const one of his) await expectEndedAccount(simulation, one);
    await expectCreditEnded(simulation, simulated, before);
  },
});

/** What a customer does with their account, and gifts to them. */
export const accountActions: readonly CustomerAction[] = [
  ...[leave('disable'), leave('delete')],
  {
    name: 'comes back as a stranger',
    afterLeaving: true,
    can: ({ left }) => left?.back === false,
    async run({ shop, population }, simulated, prng) {
      const before = await simulated.row();
      const by = prng.pick(['card', 'account'] as const);
      const again = await beginSimulated(
        shop,
        simulated.email,
        { by, friend: simulated.known.friend },
        simulated.post,
      );
      expect((await again.row()).customer_id, 'he has another account').not.toBe(before.customer_id);
      const { data } = await again.client.subscription.mySubscription({ body: {} });
      expect(data!.total, 'and nothing of the old one').toBe(1);
      for (const { email, known } of population)
        if (email === simulated.email && known.left) known.left.back = true;
      population.push(again);
    },
  },
  {
    name: 'is given a subscription by a friend',
    can: ({ friend }) => friend,
    async run({ shop, population }, simulated) {
      simulated.known.friend = false;
      population.push(await beginGiven(shop, simulated, 'USD'));
    },
  },
];
