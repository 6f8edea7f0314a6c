import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

test('S27 S82 a shop that logged secrets fails when it stops, without repeating them', async () => {
  const shop = await startTestShop({ LOG_LEVEL: 'silent' });
  const { client, email, token } = await shop.customer('canary');

  // A database error that quotes the row: only the address has a recognizable shape and is masked.
  await sql`create function quote() returns trigger language plpgsql as $$
    begin raise exception 'refused: % by %', ${sql.lit(PASSWORD)}, new.email; end $$`.execute(shop.db);
  await sql`create trigger quote before update on customer for each row execute function quote()`.execute(
    shop.db,
  );
  expect((await client.account.setLanguage({ body: { language: 'th' } })).code).toBe('9900');

  await shop.client.auth.requestResetPassword({ body: { email } });
  const code = (await emailTo(shop, email, /^\d{6}/)).Subject.slice(0, 6);
  await shop.db
    .updateTable('vendor')
    .set({ name: `mailed ${code}.` })
    .execute();
  await shop.db
    .updateTable('region')
    .set({ name: `with ${PASSWORD}` })
    .execute();
  await shop.db.updateTable('provider').set({ name: '4242 4242 4242 4242' }).execute();
  await shop.db.insertInto('setting').values({ key: 'seen', value: 'at 198.51.100.77' }).execute();
  await shop.db.updateTable('plan').set({ category: email }).execute();
  await shop.db
    .updateTable('challenge')
    .set({ code_hash: Buffer.from(token, 'base64url') })
    .execute();
  await sql`insert into pgboss.job (name, data) values ('sendEmail', ${JSON.stringify({ subjectId: token })})`.execute(
    shop.db,
  );

  const words = await shop.stop().then(
    () => 'nothing was found',
    (error: Error) => error.message,
  );
  const found = words
    .split('\n')
    .slice(1)
    .map(line => line.trim().replace(/ \(\d+ times\)$/, ''));
  expect(found.sort()).toEqual([
    'log, "unexpected", err.message: password',
    'log, "unexpected", err.stack: password',
    'pgboss.job.data.subjectId: token',
    'public.challenge.code_hash: token',
    'public.plan.category: e-mail address',
    'public.provider.name: card number',
    'public.region.name: password',
    'public.setting.value: IP address',
    'public.vendor.name: code',
  ]);
  for (const secret of [email, code, token, PASSWORD, '4242', '198.51.100.77'])
    expect(words).not.toContain(secret);
});
