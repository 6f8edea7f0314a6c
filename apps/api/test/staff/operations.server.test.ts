import { doneAnswer } from '@fixpoint/contract/staff/json-answer.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operationOf } from '../../src/cli/areas.ts';
import { shopCommand } from '../helpers/shop-command.ts';

let database: TestDatabase;
let shop: TestShop;
let owner: Client;
let admin: Client;
let app: Client;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  database = await createDatabase();
  shop = await startTestShop({}, undefined, database);
  const connected = async (connectionString: string) => {
    const client = new Client({ connectionString });
    await client.connect();
    return client;
  };
  owner = await connected(database.urls.owner);
  admin = await connected(database.url);
  app = await connected(database.urls.app);
  customer = await shop.customer('known');
});
afterAll(async () => {
  await owner?.end();
  await admin?.end();
  await app?.end();
  await shop?.stop();
  await database?.drop();
});

const run = (...args: string[]) => shopCommand(shop, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const idOf = async (email: string) =>
  (await shop.db.selectFrom('customer').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
const entries = (subject: string) =>
  shop.db.selectFrom('audit_entry').selectAll().where('subject', '=', subject).orderBy('seq').execute();

describe('preview and execution', () => {
  const give = ['credit', 'give', 'known@example.com', '5'];
  const gifts = async () => (await shop.db.selectFrom('goodwill').select('id').execute()).length;

  test('one preview that is executed many times at once changes once, and all get its result', async () => {
    const asked = [...give, '--reason', 'parallel'];
    const before = await gifts();
    const { preview, plan } = await json(...asked);
    expect(plan).toMatchObject({ email: 'known@example.com', currency: 'THB', amount: 5_00 });
    expect(await gifts()).toBe(before);
    const all = await Promise.all(Array.from({ length: 5 }, () => run(...asked, '--confirm', preview)));
    expect(all).toEqual(
      Array.from({ length: 5 }, () => ({
        code: 0,
        stderr: '',
        stdout: 'known@example.com has THB 5.00 more credit. An email notifies them.\n',
      })),
    );
    expect(await gifts()).toBe(before + 1);
    const [{ hash: _, previous: __, ...entry }, ...others] = (await entries(await idOf(customer.email))) as [
      Awaited<ReturnType<typeof entries>>[number],
    ];
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: expect.stringMatching(/^console:\w+/),
      operation: 'credit give',
      phase: 'done',
      after: { currency: 'THB', amount: 5_00 },
    });
  });

  test('a preview is good for its own command, for ten minutes, and while its plan is the present one', async () => {
    const before = await gifts();
    const refused = async (says: RegExp, ...args: string[]) =>
      expect(await run(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
    const { preview } = await json(...give, '--reason', 'first');
    await refused(/of another command/, ...give, '--reason', 'second', '--confirm', preview);
    await refused(
      /of another command/,
      'credit',
      'give',
      customer.email,
      '6',
      '--reason',
      'first',
      '--confirm',
      preview,
    );
    await refused(/is no preview/, ...give, '--reason', 'first', '--confirm', 'pvw_unknown');
    const aside = shop.db
      .updateTable('staff_preview')
      .set({ actor: 'console:other' })
      .where('id', '=', preview);
    await owner.query(aside.compile().sql, [...aside.compile().parameters]);
    await refused(/of somebody else/, ...give, '--reason', 'first', '--confirm', preview);
    await owner.query(
      "update staff_preview set actor = $1, expires_at = now() - interval '1 second' where id = $2",
      [
        (await shop.db.selectFrom('audit_entry').select('actor').limit(1).executeTakeFirstOrThrow()).actor,
        preview,
      ],
    );
    await refused(/has expired after ten minutes/, ...give, '--reason', 'first', '--confirm', preview);

    // What is left to refund has changed.
    const { number } = (await customer.client.billing.myBilling()).data!.items[0]!;
    const all = ['refund', 'invoice', number, '--credit', '--reason', 'all of it'];
    const planned = await json(...all);
    const part = ['refund', 'invoice', number, '--amount', '1', '--credit', '--reason', 'a part'];
    expect((await run(...part, '--confirm', (await json(...part)).preview)).code).toBe(0);
    await refused(/is not the present plan/, ...all, '--confirm', planned.preview);
    expect(await gifts()).toBe(before);
  });

  test('--yes plans and executes in one run; without it a script gets exit code 1', async () => {
    const asked = [...give, '--reason', 'script'];
    const before = await gifts();
    expect(await run(...asked)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Nothing was changed\. To do it .*--yes.*--confirm pvw_\w+\n$/),
    });
    expect(await gifts()).toBe(before);
    expect((await run(...asked, '--yes')).code).toBe(0);
    expect(await gifts()).toBe(before + 1);
    // Money of a customer is never moved without a plan that was seen.
    expect((await run('refund', 'invoice', '2026-000001', '--reason', 'x', '--yes')).code).toBe(64);
  });

  test('OP9 a machine is replaced after its plan was seen; the token is printed once and stored nowhere', async () => {
    const replace = ['host', 'replace', '--host', 'bkk-1', '--off'];
    const { preview, plan } = await json(...replace);
    expect(plan).toMatchObject({ host: 'bkk-1', runs: 1 });
    const tokens = async () => (await shop.db.selectFrom('host').select('enrol_hash').execute()).flat();
    const before = await tokens();
    const { stdout } = await run(...replace, '--confirm', preview);
    const token = stdout.trim().split('\n').at(-1)!;
    expect(token).toMatch(/^bkk-1\.\S+$/);
    const after = await tokens();
    expect(after).not.toEqual(before);
    expect((await run(...replace, '--confirm', preview)).stdout).toMatch(/was printed once/);
    expect(await tokens()).toEqual(after);
    const stored = await shop.db.selectFrom('staff_preview').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token.split('.')[1]);
  });

  test('a change that fails leaves no audit entry', async () => {
    const count = async () => Number((await admin.query('select count(*) from audit_entry')).rows[0].count);
    const before = await count();
    expect((await run('text', 'set', 'en', 'no.such.key', 'x')).code).toBe(1);
    expect(await count()).toBe(before);
    expect((await run('maintenance', 'on', '--yes')).code).toBe(0);
    expect((await run('maintenance', 'off')).code).toBe(0);
    expect(await count()).toBe(before + 2);
  });
});

describe('audit log', () => {
  test('lists what was changed with its reason, and verifies', async () => {
    const id = await idOf(customer.email);
    const { stdout } = await run('audit', 'list', id);
    expect(stdout).toContain('credit give');
    expect(stdout).toContain('reason: parallel');
    const whole = await json('audit', 'verify');
    expect(whole).toMatchObject({ erased: 0, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await run('audit', 'verify', '--head', whole.head)).code).toBe(0);
    expect(await run('audit', 'verify', '--head', 'a'.repeat(64))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('entries at its end are missing'),
    });
  });

  test.each([
    'update audit_entry set actor = actor',
    'delete from audit_entry',
    'truncate audit_entry cascade',
    'update audit_detail set detail = detail',
    'truncate audit_detail',
  ])('no role may change or delete entries: %s', async statement => {
    for (const client of [owner, admin])
      await expect(client.query(statement)).rejects.toThrow('are never changed or deleted');
    await expect(app.query(statement)).rejects.toThrow('permission denied');
  });

  test.each([
    ['update audit_entry set after = \'{"amount": 1}\' where seq = 2', /Entry 2: it was changed/],
    ['delete from audit_entry where seq = 2', /Entry 3: entry 2 is missing/],
    [
      'update audit_detail set detail = \'{"reason": "another"}\' where seq = 1',
      /Entry 1: its detail was changed/,
    ],
  ])('whoever gets past that is found out: %s', async (statement, says) => {
    await admin.query("set session_replication_role = 'replica'");
    await admin.query('create temporary table entry_before as select * from audit_entry');
    await admin.query('create temporary table detail_before as select * from audit_detail');
    await admin.query(statement);
    const found = await run('audit', 'verify');
    await admin.query('delete from audit_detail');
    await admin.query('delete from audit_entry');
    await admin.query('insert into audit_entry select * from entry_before');
    await admin.query('insert into audit_detail select * from detail_before');
    await admin.query('drop table entry_before, detail_before');
    await admin.query("set session_replication_role = 'origin'");
    expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(says) });
    expect((await run('audit', 'verify')).code).toBe(0);
  });

  test('personal values are erased and the chain stays whole', async () => {
    const id = await idOf(customer.email);
    await shop.db.deleteFrom('audit_detail').where('customer_id', '=', id).execute();
    expect(await json('audit', 'verify')).toMatchObject({ erased: expect.any(Number) });
    expect((await run('audit', 'verify')).code).toBe(0);
    expect((await run('audit', 'list', id)).stdout).toContain('were erased with the account');
  });
});

describe('customer page', () => {
  test('whatever staff has in front of them leads to the customer, and the look is logged', async () => {
    const other = await shop.customer('knower');
    const id = await idOf(customer.email);
    const { subscriptionId } = customer;
    const facts = await shop.db
      .selectFrom('invoice')
      .innerJoin('attempt', 'attempt.invoice_id', 'invoice.id')
      .select([
        'invoice.number',
        'invoice.reference',
        'invoice.id',
        'provider_ref',
        'charge_ref',
        'attempt.id as attempt',
      ])
      .where('invoice.customer_id', '=', id)
      .where('attempt.status', '=', 'succeeded')
      .executeTakeFirstOrThrow();
    const { address } = await shop.db
      .selectFrom('static_ip')
      .select(sql<string>`host(address)`.as('address'))
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirstOrThrow();
    const looks = async (): Promise<number> => (await json('audit', 'reads', id)).reads.length;
    const before = await looks();
    const searches = [
      ...[customer.email, 'KNOWN@', id, subscriptionId, address, facts.number, facts.reference, facts.id],
      ...[facts.provider_ref, facts.charge_ref, facts.attempt].filter(Boolean),
    ] as string[];
    for (const search of searches) {
      const { customer: page } = await json('customer', search);
      expect(page?.account, search).toMatchObject({ id, email: customer.email });
    }
    expect(await looks()).toBe(before + searches.length);

    const { matches, customer: none } = await json('customer', 'know');
    expect([matches.map(({ email }: { email: string }) => email), none]).toEqual([
      ['knower@example.com', 'known@example.com'],
      undefined,
    ]);
    const host = await json('customer', 'bkk-1');
    expect(host.matches.map(({ id: each }: { id: string }) => each)).toContain(await idOf(other.email));
    expect(await run('customer', 'nobody@example.com')).toMatchObject({ code: 1, stdout: '' });
    expect(await looks()).toBe(before + searches.length);
  });

  test('one page shows everything about the customer', async () => {
    const { stdout } = await run('customer', customer.email);
    const { customer: page } = await json('customer', customer.email);
    const [subscription] = page.subscriptions;
    expect(subscription).toMatchObject({ id: customer.subscriptionId, status: 'active', host: 'bkk-1' });
    for (const shown of [
      ...[subscription.id, subscription.address, page.invoices[0].number, page.payments[0].id],
      ...['Timeline', 'credit THB', `invoice ${page.invoices[0].number} paid`],
    ])
      expect(stdout).toContain(shown);
    // Which emails were sent, when and about what: no text, no address, no link.
    const ready = page.emails.find(({ email }: { email: string }) => email === 'ready');
    expect(ready).toEqual({
      email: 'ready',
      about: customer.subscriptionId,
      state: 'sent',
      at: expect.stringMatching(/^\d{4}-/),
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(stdout).toMatch(new RegExp(`ready {2}sent {2}${customer.subscriptionId}`));
    await run('credit', 'give', customer.email, '1', '--reason', 'export', '--yes');
    const { data } = await customer.client.account.exportData();
    expect(data!.staffActions).toMatchObject([{ operation: 'credit give', detail: { reason: 'export' } }]);
    expect(data!.sentEmails).toContainEqual({ email: 'ready', about: ready.about, at: ready.at });
  });
});

describe('command line', () => {
  test('--help shows one command with its options, and all of them exit with 0', async () => {
    const one = await run('host', 'move', '--help');
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(one.stdout).toContain('host move --host ID --to ID');
    expect(one.stdout).toContain('--routed: Your router');
    expect(await run('upgrade', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('upgrade FILE.deb'),
    });
    for (const words of [['--help'], ['help'], ['audit', '--help']]) {
      const { code, stdout } = await run(...words);
      expect([code, stdout]).toEqual([0, expect.stringContaining('audit verify')]);
    }
    expect((await run()).code).toBe(64);
  });

  test('a command that is not one names those of its area', async () => {
    const { code, stderr } = await run('host', 'rename');
    expect(code).toBe(64);
    expect(stderr).toMatch(/^host rename is not a command\./);
    expect(stderr).not.toContain('audit verify');
  });

  test('OP14 what a command prints with --json has the shape that the reference shows, and nothing beyond', async () => {
    const of = customer.subscriptionId;
    const because = ['--reason', 'a test of shapes'];
    const commands = [
      ['alerts', 'list'],
      ['audit', 'list'],
      ['audit', 'verify'],
      ['block', 'list'],
      ['books', 'check', '--database'],
      ['books', 'payouts'],
      ['books', 'revenue', '--month', '2026-01'],
      ['catalogue', 'export', '--output', '/dev/null'],
      ['clock', 'show'],
      ['customer', 'show', customer.email],
      ['dispute', 'list'],
      ['host', 'list'],
      ['host', 'show', '--host', 'bkk-1'],
      ['host', 'drift'],
      ['payments', 'check'],
      ['ready', 'show'],
      ['text', 'list', 'en'],
      ['credit', 'give', customer.email, '3', ...because],
      ['credit', 'give', customer.email, '3', ...because, '--yes'],
      ['credit', 'take-back', customer.email, '3', ...because, '--yes'],
      ['days', 'give', of, '1', ...because],
      ['days', 'give', of, '1', ...because, '--yes'],
      // Nothing is left to do.
      ['days', 'give', of, '1', ...because, '--yes'],
      ['subscription', 'suspend', of, ...because, '--yes'],
      ['subscription', 'restore', of, ...because],
      ['host', 'drain', '--host', 'bkk-1'],
      ['host', 'drain', '--host', 'bkk-1', '--undo'],
      ['host', 'replace', '--host', 'bkk-1'],
      ['maintenance', 'on'],
      ['maintenance', 'on', '--yes'],
      ['maintenance', 'off'],
      ['account', 'close', customer.email, ...because],
    ] as const;
    for (const words of commands) {
      const { stdout, stderr } = await run(...words, '--json');
      const printed = JSON.parse(stdout || JSON.stringify(stderr)) as unknown;
      const operation = operationOf(words[0], words[1])!;
      const answer = z.union([
        doneAnswer(operation),
        z.object({ preview: z.string(), expiresAt: z.iso.datetime(), plan: operation.plan ?? z.never() }),
        z.object({ nothing: z.string() }),
      ]);
      expect([words, answer.safeParse(printed).data]).toEqual([words, printed]);
    }
  });
});
