import { parse, stringify } from 'yaml';
import { readProviderEnv } from '../../env/env.ts';
import { enabledMethods } from '../../env/payment-methods.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import {
  type Catalogue,
  checkCatalogue,
  compareCatalogues,
  importCatalogue,
  readCatalogue,
  touchesPrices,
  writtenCatalogue,
} from '../../modules/catalog/index.ts';
import { nameWarnings } from '../undisplayable-texts.ts';
import type { HandlersOf, Work } from './handler.ts';
import { vatNotes } from './vat-notes.ts';

export const handlers: HandlersOf<'catalogue'> = {
  import: {
    async plan(work, { input }) {
      const { db, env, clock } = work;
      const after = wanted(work, input.catalogue);
      const before = await readCatalogue(db);
      const changes = compareCatalogues(before, after);
      if (changes.length === 0) return { nothing: 'Nothing to change: the shop sells exactly that.' };
      const notes = [
        ...(touchesPrices(changes)
          ? ['This applies to new purchases. Subscriptions keep their price and entitlements.']
          : []),
        ...nameWarnings(after),
        ...(await vatNotes(db, env.SALE_COUNTRY, clock.now(), before, after)),
      ];
      return { plan: { changes, notes } };
    },
    async execute(work, { input }, { changes }) {
      const { db, note } = work;
      await importCatalogue(db, await readCatalogue(db), wanted(work, input.catalogue));
      note({ subject: 'catalogue', after: { changes: changes.join('\n') } });
      return { changes };
    },
  },

  export: async ({ db }) => ({
    name: 'catalogue.yaml',
    content: stringify(writtenCatalogue(await readCatalogue(db))),
  }),
};

function wanted({ env, source }: Pick<Work, 'env' | 'source'>, text: string): Catalogue {
  const methods = enabledMethods(readProviderEnv(source) ?? {});
  return checkCatalogue(parsed(text), { country: env.SALE_COUNTRY, currency: env.DEFAULT_CURRENCY, methods });
}

/** JSON is a subset of YAML. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidInput(
      `Nothing was changed. The catalogue is neither YAML nor JSON: ${(error as Error).message}`,
    );
  }
}
