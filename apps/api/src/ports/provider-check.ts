import type { Provider } from './payment-gateway.ts';

/** A precondition for payments at a provider, and what is missing of it, if anything. */
export type Checked = { about: string; missing?: string | undefined };

/** Check of one provider. */
export interface ProviderCheck {
  readonly provider: Provider;
  /**
   * Queries the provider and changes nothing there.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  run(): Promise<Checked[]>;
}

/** Half of the greatest age of a signed webhook delivery of Stripe. */
const CLOCK_S = 150;

/**
 * Compares this machine's clock with the provider's.
 * @param date the `Date` header of one of its answers
 * @param otherwise consequence of a wrong clock
 */
export function clockCheck(
  whose: string,
  date: string | null | undefined,
  now: Date,
  otherwise: string,
): Checked {
  const about = 'clock';
  if (!date) return { about, missing: `${whose} sent no time: not checked` };
  const apart = Math.round(Math.abs(Date.parse(date) - now.getTime()) / 1000);
  return {
    about,
    missing:
      apart > CLOCK_S ? `this machine differs by ${apart} s from ${whose}'s clock: ${otherwise}` : undefined,
  };
}

/** Lists the missing names in a sentence; undefined if there are none. */
export function lacking(
  what: string,
  wanted: readonly string[],
  there: readonly string[],
): string | undefined {
  const missing = wanted.filter(each => !there.includes(each));
  return missing.length === 0 ? undefined : `${what}: ${missing.join(', ')}`;
}
