import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { migrateAsBefore } from '@fixpoint/testkit/older-database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopCommand } from '../helpers/shop-command.ts';
import { acceptAsNew, bearer, invitationTo } from './people.ts';

/** A shop of this version beside a node of 0.2.0, which knows no users. */
let database: TestDatabase;
let superuser: Client;
let shop: TestShop;
const logged: string[] = [];
beforeAll(async () => {
  database = await createDatabase();
  superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  await migrateAsBefore(superuser, database.urls.owner, name => name < '0032');
  await superuser.query("insert into node values ('older-1', 'all', '0.2.0', now() + interval '1 hour')");
  shop = await startTestShop({ LOG_LEVEL: 'warn' }, line => void logged.push(line), database, ['jobs']);
});
afterAll(async () => {
  await shop?.stop();
  await superuser?.end();
  await database?.drop();
});

test('while a node of an older version runs, the shop sells and refuses what that node could not read', async () => {
  const { client, email } = await shop.customer('early');
  expect(logged.join()).toContain('"migrations":["0054_users_apart.sql"]');
  await client.team.invite({ body: { email: 'colleague@example.com', role: 'buyer' } });
  const token = await invitationTo(shop, 'colleague@example.com');
  const change = () => client.account.changeEmail({ body: { email: 'other@example.com' } });
  expect(await acceptAsNew(shop, token)).toMatchObject({ code: '9902' });
  expect(await change()).toMatchObject({ code: '9902' });
  expect((await shopCommand(shop, 'ready')).stdout).toContain('older-1 (all, version 0.2.0');
  // Nothing is lost, and everything works within minutes after that node has stopped.
  expect((await shop.client.team.getInvitation({}, bearer(token))).data).toMatchObject({ name: email });
  await superuser.query("delete from node where id = 'older-1'");
  await shop.sweep();
  expect(await acceptAsNew(shop, token)).toMatchObject({ code: '0000' });
  expect(await change()).toMatchObject({ code: '0000' });
});
