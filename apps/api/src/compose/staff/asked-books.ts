import { readProviderEnv } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { NamedFault } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GatewayBooks } from '../../ports/gateway-books.ts';
import { booksOf, openProviders } from '../providers.ts';

/**
 * The providers' books, for commands that rely on what providers say about a refund. @throws
 * InvalidInput without settings
 */
export async function askedBooks(source: NodeJS.ProcessEnv, clock: Clock): Promise<GatewayBooks[]> {
  const env = readProviderEnv(source);
  if (!env) throw new InvalidInput('STRIPE_SECRET, STRIPE_PUB or STRIPE_WEBHOOK_SECRETS is missing');
  return booksOf(await openProviders(env, clock)).map(books => ({
    ...books,
    refund: ref => books.refund(ref).catch(saidOf(books)),
    refundsOf: payment => books.refundsOf(payment).catch(saidOf(books)),
  }));
}

const saidOf =
  ({ provider }: GatewayBooks) =>
  (error: unknown): never => {
    throw error instanceof NamedFault
      ? new Error(`${provider} does not answer. Nothing was changed.`, { cause: error })
      : error;
  };
