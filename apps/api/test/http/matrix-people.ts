import { beginOrder, until } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { newColleague } from '../team/people.ts';
import { nobodys, type Things } from './matrix-samples.ts';

/** Two customers, of whom `a` owns one of each thing, a member of `a` who has no part in them, a third customer who is disabled, and ids that nobody has. */
export async function peopleOfMatrix(shop: TestShop) {
  const unknown: Things = { ...nobodys };
  const owner = await shop.customer('matrix-a', 'plus');
  const { subscriptionId: subscription } = owner;
  const key = await owner.client.subscription.addKey({
    body: { subscriptionId: subscription, name: 'phone' },
  });
  const [invoice] = (await owner.client.billing.myBilling({ query: {} })).data!.items;
  const session = await shop.db
    .selectFrom('session')
    .innerJoin('customer', 'customer.id', 'session.customer_id')
    .select('session.id')
    .where('customer.email', '=', owner.email)
    .executeTakeFirstOrThrow();
  const { metadata } = await beginOrder(shop.client);
  const parts = metadata.split('|');
  const forge = (reference: string) =>
    [...parts.slice(0, 3), reference, parts[4], unknown.reference].join('|');
  unknown.forged = forge(unknown.reference);
  const a = {
    ...owner,
    things: {
      ...unknown,
      subscription,
      key: key.data!.id,
      passkey: 'B'.repeat(22),
      invoice: invoice!.id,
      document: await until(async () => {
        const { data } = await owner.client.billing.getBilling({ params: { id: invoice!.id } });
        return data!.documents[0]?.id;
      }, 'the receipt'),
      session: session.id,
      invitation: (
        await owner.client.team.invite({ body: { email: 'matrix-invited@example.com', role: 'buyer' } })
      ).data!.id,
      user: (await owner.client.auth.profile()).data!.id,
      flow: (await owner.client.auth.changePasswordOtp()).data!.flow,
      metadata,
      forged: forge(parts[3]!),
      reference: parts[3]!,
    },
  };
  const { client: member } = await newColleague(shop, owner.client, 'matrix-member@example.com', 'member');
  const b = await shop.customer('matrix-b');
  const gone = await shop.customer('matrix-disabled');
  await shop.db.updateTable('customer').set({ status: 'disabled' }).where('email', '=', gone.email).execute();
  return { a, b, member, disabled: gone.client, unknown };
}
