import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { nameWarnings } from '../compose/undisplayable-texts.ts';
import { readProviderEnv } from '../env/env.ts';
import { enabledMethods } from '../env/payment-methods.ts';
import {
  checkCatalogue,
  compareCatalogues,
  importCatalogue,
  readCatalogue,
  touchesPrices,
} from '../modules/catalog/index.ts';
import { type Command, type Context, readArgs, type Said, UsageError } from './command.ts';
import { vatNotes } from './vat-notes.ts';

export const catalogue: Command = {
  usage: [
    {
      form: 'catalogue import FILE [--yes]',
      does: 'Sells exactly what the file says: plans, prices, VAT, places. Shows the changes and asks for confirmation. Example: docs/operate/catalogue.example.yaml.',
    },
  ],
  async run(context, [action, file, ...options]) {
    if (action !== 'import') throw new UsageError('The only action is: catalogue import');
    if (!file) throw new UsageError('FILE is missing');
    const yes = readArgs(options, [], ['yes']).has('yes');
    return imported(context, await parsed(file), yes);
  },
};

/** JSON is a subset of YAML. */
async function parsed(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${error.message}`);
  });
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`Nothing was changed. ${file} is neither YAML nor JSON: ${(error as Error).message}`);
  }
}

async function imported(
  { db, env, source, ask }: Context,
  given: unknown,
  yes: boolean,
): Promise<string | Said> {
  const methods = enabledMethods(readProviderEnv(source) ?? {});
  const after = checkCatalogue(given, {
    country: env.SALE_COUNTRY,
    currency: env.DEFAULT_CURRENCY,
    methods,
  });
  const before = await readCatalogue(db);
  const changes = compareCatalogues(before, after);
  if (changes.length === 0) return 'Nothing to change: the shop sells exactly that.';
  const shown = [...changes];
  if (touchesPrices(changes))
    shown.push('This applies to new purchases. Subscriptions keep their price and entitlements.');
  shown.push(...nameWarnings(after));
  const { now } = await openShopClock(db, systemClock);
  shown.push(...(await vatNotes(db, env.SALE_COUNTRY, now(), before, after)));
  if (!yes && !(await ask(`${shown.join('\n')}\nSell this now?`)))
    return {
      says: `${shown.join('\n')}\nNothing was changed. To do it without being asked: --yes`,
      bad: true,
    };
  await importCatalogue(db, before, after);
  return `${yes ? `${shown.join('\n')}\n` : ''}The catalogue is imported. All pages show it within seconds.`;
}
