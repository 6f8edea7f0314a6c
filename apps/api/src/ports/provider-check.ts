import type { Provider } from './payment-gateway.ts';

/** Something that must be so at a provider before money can come: what it is about, and what is missing, if anything. */
export type Checked = { about: string; missing?: string | undefined };

/** One for each provider. */
export interface ProviderCheck {
  readonly provider: Provider;
  /**
   * Asks the provider itself, and changes nothing there.
   * @throws NamedFault('providerUnreachable') when no answer came
   */
  run(): Promise<Checked[]>;
}

/** Half of what a signed delivery of Stripe's may be old. */
const CLOCK_S = 150;

/**
 * Whether this machine's clock goes as the provider's.
 * @param date the `Date` header of an answer of its
 * @param otherwise what comes of a clock that is wrong
 */
export function clockCheck(
  whose: string,
  date: string | null | undefined,
  now: Date,
  otherwise: string,
): Checked {
  const about = 'clock';
  if (!date) return { about, missing: `${whose} did not say its time: not checked` };
  const apart = Math.round(Math.abs(Date.parse(date) - now.getTime()) / 1000);
  return {
    about,
    missing:
      apart > CLOCK_S ? `this machine is ${apart} s away from ${whose}'s clock: ${otherwise}` : undefined,
  };
}

/** What of these names is not there, as a sentence; undefined when all are. */
export function lacking(
  what: string,
  wanted: readonly string[],
  there: readonly string[],
): string | undefined {
  const missing = wanted.filter(each => !there.includes(each));
  return missing.length === 0 ? undefined : `${what}: ${missing.join(', ')}`;
}
