import { parseArgs } from 'node:util';
import { isLanguage, type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { openDatabase } from './adapters/database/database.ts';
import { migrate } from './adapters/database/migrate.ts';
import { liveBus } from './adapters/postgres-bus.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createVaultSigner } from './adapters/vault-signer.ts';
import { readCommandEnv } from './env.ts';
import { newHostToken } from './modules/provisioning/index.ts';
import { listTexts, setMaintenance, setText, unsetText } from './modules/text/index.ts';
import type { Db } from './ports/database.ts';
import { createVault, masterKey } from './secrets.ts';

const USAGE = `Commands:
  host-token --host ID --provider ID --region ID --vendor ID --address-pool A.B.C.0/24 [--dns A.B.C.D]
      names a VPN host and prints a one-time enrolment token for its agent (15 minutes)
  maintenance on|off
      blocks or allows new purchases; open pages hear it at once
  text set LANG KEY TEXT
      says a text of the shop in your own words, within seconds on all nodes; region.ID names a region of yours
  text unset LANG KEY
      goes back to the shop's own text
  text list LANG [BEGINNING]
      prints the texts whose key begins so; * marks your own
LANG is one of ${languageCodes.join(', ')}. Keys of mails begin with mail.
`;

/** A mistake in the command line: its message is followed by how to use the command. */
class UsageError extends Error {}

type Command = (db: Db, args: string[]) => Promise<string>;

const commands: Record<string, Command> = {
  async 'host-token'(db, args) {
    const names = ['host', 'provider', 'region', 'vendor', 'address-pool', 'dns'];
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])),
    });
    const option = (name: string): string => {
      const value = values[name];
      if (!value) throw new UsageError(`--${name} is missing`);
      return value;
    };
    const signer = createVaultSigner(createVault(await masterKey(env.MASTER_KEY_FILE)));
    return await newHostToken(
      { db, signer, clock: systemClock },
      {
        id: option('host'),
        providerId: option('provider'),
        regionId: option('region'),
        vendorId: option('vendor'),
        addressPool: option('address-pool'),
        dns: [values.dns ?? '9.9.9.9'],
      },
    );
  },

  async maintenance(db, [state]) {
    if (state !== 'on' && state !== 'off') throw new UsageError('on or off?');
    await setMaintenance(db, liveBus, state === 'on');
    return `maintenance is ${state}`;
  },

  async text(db, [action, lang, key, text]) {
    if (!isLanguage(lang)) throw new UsageError(`${lang ?? 'nothing'} is no language of the shop`);
    if (action === 'list') return await textList(db, lang, key);
    if (action === 'set' && key && text) {
      await setText(db, lang, key, text);
      return `${key} is set in ${lang}`;
    }
    if (action === 'unset' && key) {
      const found = await unsetText(db, lang, key);
      return found ? `${key} is the shop's own again in ${lang}` : `${key} was the shop's own in ${lang}`;
    }
    throw new UsageError('text set, unset or list?');
  },
};

async function textList(db: Db, language: Language, beginning = ''): Promise<string> {
  const texts = await listTexts(db, language);
  return texts
    .filter(({ key }) => key.startsWith(beginning))
    .map(({ key, text, own }) => `${own ? '*' : ' '} ${key}  ${text}`)
    .join('\n');
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(USAGE);
  process.exit(64);
}
const env = readCommandEnv();
await migrate(env.DATABASE_URL);
const { db, close } = openDatabase(env.DATABASE_APP_URL);
try {
  process.stdout.write(`${await command(db, args)}\n`);
} catch (error) {
  const usage = error instanceof UsageError ? USAGE : '';
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exitCode = error instanceof UsageError ? 64 : 1;
} finally {
  await close();
}
