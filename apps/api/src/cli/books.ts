import { createBtcpayBooks } from '../adapters/btcpay/books.ts';
import { btcpaySettings, openBtcpay } from '../adapters/btcpay/client.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { createStripeBooks } from '../adapters/stripe/books.ts';
import { openStripe, stripeSettings } from '../adapters/stripe/client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type ProviderEnv, readProviderEnv } from '../env.ts';
import { checkDatabase, compareProvider, type Difference, tellDifferences } from '../modules/books/index.ts';
import type { ProviderBooks } from '../ports/provider-books.ts';
import { NamedFault } from '../refusal.ts';
import { type Command, readArgs, UsageError } from './command.ts';

/** Rows of a difference that are shown; its query finds all. */
const SHOWN = 10;

export const books: Command = {
  usage: [
    {
      form: 'books [--database]',
      does: 'holds the books against every rule, and against the payment providers (not with --database); 1 when they differ',
    },
  ],
  async run({ db }, args) {
    const databaseAlone = readArgs(args, [], ['database']).has('database');
    const now = (await openShopClock(db, systemClock)).now();
    const found = await checkDatabase(db, now);
    await tellDifferences(db, now, found);
    const theirs = databaseAlone ? { found: [], says: [] } : await compareProviders();
    const all = [...found, ...theirs.found];
    const says = [...all.map(told), ...theirs.says, ...(all.length > 0 ? ['The books do not balance.'] : [])];
    return says.length > 0 ? { says: says.join('\n\n'), bad: true } : 'The books balance.';

    /** A provider that does not answer leaves a question open, which is no balance. */
    async function compareProviders(): Promise<{ found: Difference[]; says: string[] }> {
      const env = readProviderEnv();
      if (!env) throw new UsageError('STRIPE_SECRET and STRIPE_WEBHOOK_SECRETS are missing; or --database');
      const found: Difference[] = [];
      const says: string[] = [];
      for (const provider of providersOf(env)) {
        try {
          found.push(...(await compareProvider(db, provider)));
        } catch (error) {
          if (!(error instanceof NamedFault)) throw error;
          says.push(`${provider.provider} does not answer: not compared with it.`);
        }
      }
      return { found, says };
    }
  },
};

function providersOf(env: ProviderEnv): ProviderBooks[] {
  const btcpay = btcpaySettings(env);
  return [
    createStripeBooks(openStripe(stripeSettings(env, systemClock))),
    ...(btcpay ? [createBtcpayBooks(openBtcpay(btcpay))] : []),
  ];
}

function told({ name, sentence, rows, query }: Difference): string {
  const shown = rows.slice(0, SHOWN).map(row => JSON.stringify(row));
  if (rows.length > SHOWN) shown.push(`and ${rows.length - SHOWN} more`);
  return [`${name}: not so: ${sentence}`, ...shown, ...(query ? [`${query};`] : [])].join('\n  ');
}
