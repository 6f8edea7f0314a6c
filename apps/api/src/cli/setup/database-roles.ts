import { newPasswords } from '@fixpoint/postgres/prepare.ts';
import { type Role, roles, urlSettings, urlsFor } from '@fixpoint/postgres/roles.ts';
import type { Finding, Machine } from './machine.ts';
import { SETTINGS, SETTINGS_MODE, type Settings, settingsIn, withSettings } from './settings-file.ts';

/** Runs a program of PostgreSQL's superuser, as Debian has it. */
export const psql = ({ run }: Machine, args: readonly string[], input?: string) =>
  run('runuser', ['-u', 'postgres', '--', 'psql', '--no-psqlrc', '--quiet', ...args], input);

/** Port of the PostgreSQL of this machine; undefined: none answers. */
export async function portHere(machine: Machine): Promise<{ port?: string; out: string }> {
  const { code, out } = await psql(machine, ['--tuples-only', '--no-align', '--command=show port']);
  return code === 0 ? { port: out.trim(), out } : { out };
}

/**
 * Makes the roles of this version that a shop from before has no settings for: on the PostgreSQL of this machine by itself;
 * of any other the operator is told how.
 * @param settings get those of the new roles
 */
export async function setUpRoles(machine: Machine, settings: Settings): Promise<Finding[]> {
  const { DATABASE_URL: url } = settings;
  const lacking = (Object.keys(roles) as Role[]).filter(role => !settings[urlSettings[role]]);
  if (!url || lacking.length === 0) return [];
  const passwords = newPasswords();
  const urls = urlsFor(url, passwords);
  const made = Object.fromEntries(lacking.map(role => [urlSettings[role], urls[role]]));
  const names = lacking.map(role => roles[role]).join(', ');
  if (await isHere(machine, url)) {
    const script = [REQUIRE_SHOP, ...lacking.flatMap(role => statementsFor(role, passwords[role]))];
    if ((await psql(machine, ['--set=ON_ERROR_STOP=1'], `${script.join('\n')}\n`)).code === 0) {
      Object.assign(settings, made);
      machine.say(`The database has the new role ${names}.`);
      return [];
    }
  }
  const create = lacking.map(role => `create role ${roles[role]} login password '${passwords[role]}';`);
  const lines = Object.entries(made).map(([name, value]) => `${name}=${value}`);
  return [
    {
      about: 'Database',
      todo: `PostgreSQL lacks a role of this version (${names}). As a user who may create roles there, run:\n${create.join('\n')}\nThen write into ${SETTINGS}:\n${lines.join('\n')}`,
    },
  ];
}

/** Runs `database roles` on a machine with an installed shop, as root. @returns the exit code */
export async function addRoles(machine: Machine): Promise<number> {
  const before = (await machine.read(SETTINGS)) ?? '';
  const settings = settingsIn(before);
  const findings = await setUpRoles(machine, settings);
  const text = withSettings(before, settings);
  if (text !== before) await machine.write(SETTINGS, text, SETTINGS_MODE);
  for (const { todo } of findings) machine.say(todo);
  return findings.length === 0 ? 0 : 1;
}

/** Another server may listen at the port: the shop's has its owner. */
const REQUIRE_SHOP = `do $$ begin if to_regrole('${roles.owner}') is null then raise 'not the shop''s'; end if; end $$;`;

/** An earlier attempt may have made the role, with a password that nobody has kept. */
const statementsFor = (role: Role, password: string): string[] => [
  `do $$ begin create role ${roles[role]} login; exception when duplicate_object then null; end $$;`,
  `alter role ${roles[role]} with login password '${password}';`,
];

/** Whether the address of a database is the PostgreSQL of this machine. */
async function isHere(machine: Machine, url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  if (!['127.0.0.1', 'localhost', '[::1]', ''].includes(hostname)) return false;
  return (await portHere(machine)).port === (port || '5432');
}
