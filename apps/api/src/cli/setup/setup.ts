import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { database } from '@fixpoint/postgres/address.ts';
import { newPasswords, prepareScript } from '@fixpoint/postgres/prepare.ts';
import { databaseSettings, urlsFor } from '@fixpoint/postgres/roles.ts';
import { createSmtpMailer } from '../../adapters/smtp-mailer.ts';
import { cutValues } from '../../env/env-file.ts';
import { misspelt } from '../../env/misspelt.ts';
import { problemsOf } from '../../env/problems.ts';
import { portHere, psql, setUpRoles } from './database-roles.ts';
import { checkDns } from './dns-records.ts';
import { firstCatalogue, firstNames } from './first-catalogue.ts';
import { type Finding, type Machine, quiet, sayJson } from './machine.ts';
import { SHOP, setUpProxy } from './proxy.ts';
import { answersTo, unanswered } from './questions.ts';
import { SETTINGS, SETTINGS_MODE, type Settings, settingsIn, withSettings } from './settings-file.ts';
import { setUpWebhooks } from './webhooks.ts';

const CATALOGUE = '/etc/fixpoint/catalogue.yaml';
const SERVICES = ['fixpoint-api.service', 'fixpoint-worker.service'];
const UNITS = ['fixpoint-api.socket', 'fixpoint-agents.socket', ...SERVICES];

/** Wrong command line, wrong settings (sysexits). */
const EX_USAGE = 64;

const USAGE = `Usage: fixpoint setup [--answers FILE] [--json]
       fixpoint doctor [--json]
Sets the shop of this machine up, as root: asks what only you know, then makes database, settings, webhooks and proxy, starts
the shop, and checks DNS and email. A file of answers has settings (NAME=value), and may have ${firstNames.join(', ')}.
Run again it repairs what it can and names what is left, each with the remedy; doctor does the same without questions.
--json asks nothing and prints what is left to do as JSON.
Exit codes: 0 nothing to do; 1 something is left to do; 64 wrong command line.
`;

/** Settings that follow from how the package is installed. */
const INSTALLED: Settings = {
  NODE_ENV: 'production',
  DATA_DIR: '/var/lib/fixpoint',
  TRUST_PROXY: '127.0.0.1',
  AGENT_PACKAGES_DIR: '/var/lib/fixpoint/agents',
};

/** Runs `fixpoint setup` or `fixpoint doctor`. @returns the exit code */
export async function setUp(machine: Machine, command: string, args: string[]): Promise<number> {
  let file: string | undefined;
  let json: boolean | undefined;
  try {
    const options = { answers: { type: 'string' }, json: { type: 'boolean' } } as const;
    ({ answers: file, json } = parseArgs({ args, options }).values);
  } catch {
    machine.say(USAGE);
    return EX_USAGE;
  }
  const text = file === undefined ? '' : await machine.read(file);
  const before = await machine.read(SETTINGS);
  if (text === undefined || before === undefined) {
    machine.say(`${text === undefined ? file : SETTINGS} cannot be read. ${USAGE}`);
    return EX_USAGE;
  }
  const silent = command === 'doctor' || file !== undefined;
  const asking = json ? quiet(machine) : silent ? { ...machine, ask: noAnswer } : machine;
  const cut = [...cutIn(SETTINGS, before), ...(file ? cutIn(file, text) : [])];
  const todo = cut.length > 0 ? cut : await settleAll(asking, before, settingsIn(text));
  if (json) sayJson(machine, 'setup', { todo });
  else report(machine, todo);
  return todo.length === 0 ? 0 : 1;
}

/** Values that a # cuts. Nothing is made with half a key, and nothing is written over the file. */
const cutIn = (file: string, text: string): Finding[] =>
  cutValues(text).map(line => ({ about: file, todo: line }));

const noAnswer = async (): Promise<undefined> => undefined;

async function settleAll(machine: Machine, before: string, given: Settings): Promise<Finding[]> {
  const { write, say, ask } = machine;
  const first = Object.fromEntries(firstNames.flatMap(name => (given[name] ? [[name, given[name]]] : [])));
  const answers = Object.fromEntries(Object.entries(given).filter(([name]) => !firstNames.includes(name)));
  const present = { ...INSTALLED, ...settingsIn(before), ...answers };
  const settings: Settings = { ...present, ...(await answersTo(present, ask, say)) };
  const lacks = unanswered(settings);
  // What was answered is not asked again.
  const save = () => write(SETTINGS, withSettings(before, settings), SETTINGS_MODE);
  await save();
  // A name that is misspelt may be what is missing.
  const aboutSettings = (lines: readonly string[]): Finding[] =>
    [...lines, ...misspelt(Object.keys(present), [])].map(todo => ({ about: 'Settings', todo }));
  if (lacks.length > 0) return aboutSettings(lacks);

  const findings = await setUpDatabase(machine, settings);
  await save();
  const webhooks = await setUpWebhooks(settings, say);
  Object.assign(settings, webhooks.made);
  findings.push(...webhooks.findings);
  await save();
  const problems = problemsOf(settings);
  if (problems.length > 0) return [...findings, ...aboutSettings(problems)];

  const changed = withSettings(before, settings) !== before;
  const urls = [settings.PUBLIC_URL!, settings.PAY_URL!];
  // Meanwhile, because a name server may not answer.
  const dns = checkDns(machine, urls, settings.MAIL_FROM!);
  findings.push(...(await startShop(machine, changed)));
  findings.push(...(await setUpProxy(machine, urls)));
  findings.push(...(await dns));
  findings.push(...(await sendTestEmail(machine, settings, settingsIn(before))));
  const unready = await lacksOf(machine);
  const hasNone = unready.some(lack => lack.startsWith('There is no catalogue'));
  if (hasNone) findings.push(...(await setUpCatalogue(machine, settings, first)));
  const [ready, payments] = await Promise.all([hasNone ? lacksOf(machine) : unready, checkPayments(machine)]);
  return [...findings, ...ready.map(todo => ({ about: 'Ready', todo })), ...payments];
}

/** Creates roles and database on Debian's PostgreSQL, where the settings name none, and later the roles that they lack. */
async function setUpDatabase(machine: Machine, settings: Settings): Promise<Finding[]> {
  if (settings.DATABASE_URL) return setUpRoles(machine, settings);
  const { port, out } = await portHere(machine);
  const passwords = newPasswords();
  const script = prepareScript(database, passwords);
  const made = port === undefined ? { code: 1, out } : await psql(machine, ['--set=ON_ERROR_STOP=1'], script);
  if (made.code !== 0)
    return [
      {
        about: 'Database',
        todo: `PostgreSQL of this machine does not answer (${made.out.trim().split('\n')[0]}). Install it: apt-get install postgresql. For one on another machine, run fixpoint database prepare ADMIN_URL and write its lines into ${SETTINGS}.`,
      },
    ];
  const urls = urlsFor(`postgresql://127.0.0.1:${port}/${database}`, passwords);
  Object.assign(settings, databaseSettings(urls));
  machine.say('The database is there.');
  return [];
}

/** Starts the shop, also after every start of the machine, and waits until it answers. */
async function startShop({ run, answers, say }: Machine, changed: boolean): Promise<Finding[]> {
  await run('systemctl', ['enable', '--now', ...UNITS]);
  if (changed) await run('systemctl', ['restart', ...SERVICES]);
  if (await answers(`http://${SHOP}/readyz`)) {
    say('The shop runs.');
    return [];
  }
  const { out } = await run('journalctl', ['--unit=fixpoint-*', '--lines=15', '--output=cat', '--no-pager']);
  return [{ about: 'The shop', todo: `It does not start. Its log ends with:\n${out.trim()}` }];
}

/** Sends an email when the settings of the mail server are new. `ready` asks the server itself. */
async function sendTestEmail({ say }: Machine, settings: Settings, before: Settings): Promise<Finding[]> {
  const {
    SMTP_URL: url,
    MAIL_FROM: from,
    SUPPORT_EMAIL: to,
    BRAND_NAME: brand,
  } = settings as Required<Settings>;
  if (['SMTP_URL', 'MAIL_FROM', 'SUPPORT_EMAIL'].every(name => settings[name] === before[name])) return [];
  const text = `This email shows that ${brand} can send emails. Look whether it is in your inbox and not among the spam, and whether its source says that SPF, DKIM and DMARC pass.`;
  try {
    await createSmtpMailer(url!, from!, to!).send({
      messageId: `<${randomUUID()}@${new URL(settings.PUBLIC_URL!).hostname}>`,
      to: to!,
      subject: `Test email of ${brand}`,
      text,
      html: `<p>${text}</p>`,
      language: 'en',
    });
  } catch (error) {
    return [
      { about: 'Email', todo: `${(error as Error).message}. Correct SMTP_URL or MAIL_FROM in ${SETTINGS}.` },
    ];
  }
  say(
    `A test email is on its way to ${to}. Its source shows whether your mail server signs with DKIM, which nobody can see from here.`,
  );
  return [];
}

/** Imports a starting catalogue. */
async function setUpCatalogue(machine: Machine, settings: Settings, first: Settings): Promise<Finding[]> {
  const { run, read, write, say } = machine;
  if ((await read(CATALOGUE)) === undefined) {
    say('\nThe catalogue');
    const text = await firstCatalogue(first, settings, machine);
    // The list of what the shop lacks names it.
    if (!text) return [];
    await write(CATALOGUE, text, 0o644);
  }
  const { code, out } = await run('fixpoint', ['catalogue', 'import', CATALOGUE, '--yes']);
  if (code !== 0) return [{ about: 'Catalogue', todo: `${CATALOGUE} is not imported: ${out.trim()}` }];
  say(`The catalogue is imported from ${CATALOGUE}.`);
  return [];
}

/** The answer of a command of staff, as JSON; undefined when it fails. */
async function answerOf<T>({ run }: Machine, ...command: string[]): Promise<T | undefined> {
  const { out } = await run('fixpoint', [...command, '--json']);
  try {
    return JSON.parse(out) as T;
  } catch {
    return undefined;
  }
}

/** What the running shop lacks for its first sale. */
const lacksOf = async (machine: Machine): Promise<string[]> =>
  (await answerOf<{ lacks: string[] }>(machine, 'ready'))?.lacks ?? [];

/** What the payment gateways say. */
async function checkPayments(machine: Machine): Promise<Finding[]> {
  const checked = await answerOf<{ checks: { provider: string; about: string; missing?: string }[] }>(
    machine,
    'payments',
    'check',
  );
  return (checked?.checks ?? []).flatMap(({ provider, about, missing }) =>
    missing ? [{ about: `${provider}, ${about}`, todo: missing }] : [],
  );
}

function report({ say }: Machine, findings: readonly Finding[]): void {
  say(`
Keep these three things safe, each at another place than this server:
  /var/lib/fixpoint/master.key   encrypts every secret in the database; nothing replaces it
  ${SETTINGS}     your keys and passwords
  a backup of the database       every night: docs/operate/backup.md
`);
  if (findings.length === 0) {
    say('Nothing is left to do: the shop can sell.');
    return;
  }
  say('To do:');
  for (const { about, todo } of findings) say(`- ${about}: ${todo}`);
  say('\nThen run: fixpoint doctor');
}
