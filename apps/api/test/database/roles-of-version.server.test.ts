import { startTemporary } from '@fixpoint/postgres/temporary.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRoles } from '../../src/cli/setup/database-roles.ts';
import type { Machine } from '../../src/cli/setup/machine.ts';
import { checkRole } from '../../src/database/check.ts';
import { migrate } from '../../src/database/migrate.ts';

const SETTINGS = '/etc/fixpoint/fixpoint.env';
let server: Awaited<ReturnType<typeof startTemporary>>;
beforeAll(async () => {
  server = await startTemporary(undefined);
  await asAdmin('drop role fixpoint_member');
});
afterAll(() => server?.stop());

async function asAdmin(text: string): Promise<void> {
  const client = new Client({ connectionString: server.adminUrl });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** A machine of version 0.2, with its settings and this PostgreSQL. */
function machineOf(settings: Record<string, string>) {
  const files: Record<string, string> = {
    [SETTINGS]: `${Object.entries(settings)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n')}\n`,
  };
  const said: string[] = [];
  const machine: Pick<Machine, 'read' | 'write' | 'run' | 'say'> = {
    read: async path => files[path],
    async write(path, text) {
      files[path] = text;
    },
    async run(_, args, input) {
      if (args.includes('--command=show port')) return { code: 0, out: '5432\n' };
      const failed = await asAdmin(input!).catch((error: Error) => error.message);
      return failed === undefined ? { code: 0, out: '' } : { code: 1, out: failed };
    },
    say: line => void said.push(line),
  };
  const member = () => /^DATABASE_MEMBER_URL=(.*)$/m.exec(files[SETTINGS]!)?.[1]?.replaceAll('"', '');
  return { machine: machine as Machine, said, member };
}

test('a database on another machine is not touched: the operator gets the statement and the line', async () => {
  const { machine, said, member } = machineOf({
    DATABASE_URL: 'postgresql://fixpoint_owner:a@db.example.com/fixpoint',
    DATABASE_APP_URL: 'postgresql://fixpoint_app:b@db.example.com/fixpoint',
    DATABASE_CUSTOMER_URL: 'postgresql://fixpoint_customer:c@db.example.com/fixpoint',
  });
  expect(await addRoles(machine)).toBe(1);
  const [, password] = /^create role fixpoint_member login password '(\w+)';$/m.exec(said.join('\n'))!;
  expect(said.join('\n')).toContain(
    `DATABASE_MEMBER_URL=postgresql://fixpoint_member:${password}@db.example.com/fixpoint`,
  );
  expect(member()).toBeUndefined();
});

test('settings of version 0.2 get the role that this version needs, on the PostgreSQL of the machine', async () => {
  const { owner, app, customer } = server.urls;
  await expect(migrate(owner)).rejects.toThrow('PostgreSQL lacks a role of this version');
  const { machine, member } = machineOf({
    DATABASE_URL: owner,
    DATABASE_APP_URL: app,
    DATABASE_CUSTOMER_URL: customer,
  });
  expect(await addRoles(machine)).toBe(0);
  await migrate(owner);
  await checkRole(member()!, 'fixpoint_member', 'DATABASE_MEMBER_URL');
  const made = member();
  expect(await addRoles(machine)).toBe(0);
  expect(member()).toBe(made);
});
