import { systemClock } from '../../adapters/system-clock.ts';
import { readProviderEnv } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { NamedFault } from '../../kernel/refusal.ts';
import { soldCurrencies } from '../../modules/catalog/index.ts';
import { markUnrelated } from '../../modules/payment/index.ts';
import type { Checked } from '../../ports/provider-check.ts';
import { checksOf, openProviders } from '../providers.ts';
import { askedBooks } from './asked-books.ts';
import type { HandlersOf } from './handler.ts';

/** Time to wait for the shop's own address: an answer of the machine itself comes at once. */
const TIMEOUT_MS = 5_000;

export const handlers: HandlersOf<'payments'> = {
  async check({ db, source }) {
    const env = readProviderEnv(source);
    if (!env) throw new InvalidInput('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing');
    const currencies = await soldCurrencies(db);
    const providers = await openProviders(env, systemClock);
    // At once, because whatever does not answer is waited for.
    const checks = await Promise.all(
      checksOf(providers, env, systemClock, currencies).map(async ({ provider, run }) => {
        const [said, way] = await Promise.all([
          asked(run),
          reaches(`${env.PUBLIC_URL}/webhooks/${provider}`),
        ]);
        return [...said, way].map(({ about, missing }) => ({ provider, about, missing }));
      }),
    );
    return { checks: checks.flat() };
  },

  async foreign({ db, source, clock, note }, { input: { provider, ref }, reason }) {
    const providers = await askedBooks(source, clock);
    await markUnrelated({ db, clock, providers }, { provider, ref, reason });
    note({ subject: ref, after: { provider } });
    return { provider, ref };
  },
};

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
