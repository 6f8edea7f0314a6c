import { holdsCardNumber } from '@fixpoint/contract/card-number.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { checksOf, openProviders } from '../compose/providers.ts';
import { readProviderEnv } from '../env/env.ts';
import { NamedFault } from '../kernel/refusal.ts';
import { soldCurrencies } from '../modules/catalog/index.ts';
import { markUnrelated } from '../modules/payment/index.ts';
import type { Provider } from '../ports/payment-gateway.ts';
import type { Checked } from '../ports/provider-check.ts';
import { askedBooks } from './asked-books.ts';
import { type Command, type Context, noMore, readArgs, UsageError } from './command.ts';

/** Time to wait for the shop's own address. */
const TIMEOUT_MS = 10_000;

export const payments: Command = {
  usage: [
    {
      form: 'payments check',
      does: 'Checks at each payment gateway whether keys, rights, webhooks, clock and version are as the shop needs them, and in which currencies for sale bitcoin has a rate. Exits with 1 when they are not.',
    },
    {
      form: 'payments foreign PROVIDER REF --reason TEXT',
      does: 'Declares that a payment, refund or dispute at a gateway (stripe, paypal, btcpay) does not belong to this shop. REF is its ID there. Its alert is resolved, and the books are compared without it. The reason must not name a person.',
    },
  ],
  async run(context, args) {
    if (args[0] === 'foreign') return foreign(context, args.slice(1));
    noMore(args, 1);
    if (args[0] !== 'check') throw new UsageError('Use: payments check, or payments foreign');
    const env = readProviderEnv(context.source);
    if (!env) throw new UsageError('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing');
    const lines: string[] = [];
    let bad = false;
    const currencies = await soldCurrencies(context.db);
    const providers = await openProviders(env, systemClock);
    for (const { provider, run } of checksOf(providers, env, systemClock, currencies)) {
      const checked = [...(await asked(run)), await reaches(`${env.PUBLIC_URL}/webhooks/${provider}`)];
      bad ||= checked.some(({ missing }) => missing);
      lines.push(...checked.map(({ about, missing }) => `${provider}  ${about}: ${missing ?? 'ok'}`));
    }
    return { says: [...lines, bad ? 'Something is missing.' : 'All is well.'].join('\n'), bad };
  },
};

const PROVIDERS: readonly Provider[] = ['stripe', 'paypal', 'btcpay'];

async function foreign({ db, source }: Context, [name, ref, ...rest]: string[]): Promise<string> {
  const provider = PROVIDERS.find(each => each === name);
  if (!provider) throw new UsageError(`PROVIDER is ${PROVIDERS.join(', ')}`);
  if (!ref || ref.startsWith('--')) throw new UsageError('REF is missing');
  const reason = readArgs(rest, ['reason']).option('reason').trim();
  if (!reason) throw new UsageError('--reason is missing');
  if (holdsCardNumber(reason)) throw new UsageError('--reason contains what looks like a card number');
  const clock = await openShopClock(db, systemClock);
  await markUnrelated({ db, clock, providers: await askedBooks(source, clock) }, { provider, ref, reason });
  return `${ref} at ${provider} does not belong to this shop. The books are compared without it.`;
}

async function asked(run: () => Promise<Checked[]>): Promise<Checked[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NamedFault)) throw error;
    return [{ about: 'answers', missing: `no answer: ${(error.cause as Error | undefined)?.message}` }];
  }
}

/**
 * The shop refuses an unsigned webhook, which shows that its address works from here, though not
 * from outside.
 */
async function reaches(url: string): Promise<Checked> {
  const about = 'webhook address, tried from this machine';
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await fetch(url, { method: 'POST', body: '{}', redirect: 'error', signal });
    return { about, missing: status === 400 ? undefined : `${url} answers ${status}, unlike the shop` };
  } catch {
    return { about, missing: `${url} cannot be reached` };
  }
}
