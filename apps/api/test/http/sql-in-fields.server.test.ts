import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, callsOfOneSession, type Input, nobodys, send, type Things } from './matrix-samples.ts';
import { type StringField, stringFields } from './string-fields.ts';

/** Characters that end a text in SQL or have a meaning in it. */
const quotes = [
  `'`,
  `''`,
  `"`,
  `\\`,
  `\\'`,
  `' or '1'='1`,
  `') or ('1'='1`,
  `'; drop table vpn_key; --`,
  `"; drop table vpn_key; --`,
  `' union select password_hash from customer --`,
  `'||pg_sleep(9)||'`,
  `$1`,
  `$$ || $$`,
  `%`,
  `_`,
  `{"$ne":null}`,
  `x\u0000y`,
  `\ud800`,
  `ʼ or ʼ1ʼ=ʼ1`,
];

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
let things: Things;
let before: Record<string, number>;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('quotes');
  const { subscriptionId: subscription } = customer;
  const key = await customer.client.subscription.addKey({
    body: { subscriptionId: subscription, name: 'quoted' },
  });
  const [invoice] = (await customer.client.billing.myBilling({ query: {} })).data!.items;
  things = { ...nobodys, subscription, key: key.data!.id, invoice: invoice!.id, forged: 'forged' };
  // The request for the email about the key is a row that disappears.
  await shop.sweep();
  before = await rows();
});
afterAll(() => shop?.stop());

/** URLs are UTF-8 and cannot contain half a surrogate pair. */
const canStand = ({ name }: StringField, text: string) => name.startsWith('body') || text.isWellFormed();

const clientFor = ({ endpoint }: Call): TestClient =>
  endpoint.auth === 'visitor' || endpoint.auth === 'link' ? shop.client : customer.client;

/** Number of rows in each table. */
async function rows(): Promise<Record<string, number>> {
  const { rows: counts } = await sql<{ name: string; rows: number }>`
    select table_name as name, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from public.%I', table_name), false, true, '')))[1]::text::int as rows
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    shop.db,
  );
  return Object.fromEntries(counts.map(({ name, rows: count }) => [name, count]));
}

describe('S59 SQL in a text stays a text, in every field of every call', () => {
  test.each(callsOfOneSession.map(call => [call.name, call] as const))('%s', async (_, call) => {
    const client = clientFor(call);
    const sample = call.sample!.input(things) as Input;
    for (const field of stringFields(sample)) {
      const nothing = await send(client, call.name, field.with('nobody-has-this'));
      for (const quote of quotes.filter(text => canStand(field, text))) {
        const began = performance.now();
        const answer = await send(client, call.name, field.with(quote));
        const at = `${field.name} = ${quote}`;
        // A server fault would come from the database, which executed the text.
        expect(answer.status, at).toBeLessThan(500);
        if (nothing.code !== '0000') expect(answer.code, at).not.toBe('0000');
        expect(performance.now() - began, at).toBeLessThan(9_000);
      }
    }
  });

  test('in the tokens of every request', async () => {
    for (const quote of quotes.filter(text => /^[\x20-\x7e]+$/.test(text))) {
      const client = createClient(shop.url, quote);
      expect(await client.auth.profile(), quote).toMatchObject({ status: 401, code: '8001' });
      expect((await client.auth.verifyToken()).code, quote).toBe('8003');
      expect((await shop.client.auth.profile({}, { cookie: `session=${quote}` })).status).toBe(401);
    }
  });
});

test('S59 afterwards every table has its content', async () => {
  const after = await rows();
  expect(before.vpn_key).toBe(1);
  expect(after.customer).toBe(before.customer);
  // Changes that hosts have applied are deleted.
  const { pending_change: _, ...kept } = before;
  for (const [table, count] of Object.entries(kept))
    expect(after[table], table).toBeGreaterThanOrEqual(count);
  expect((await customer.client.auth.profile()).data).toMatchObject({ email: customer.email });
});
