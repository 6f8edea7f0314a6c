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

/** What of these names is not there, as a sentence; undefined when all are. */
export function lacking(
  what: string,
  wanted: readonly string[],
  there: readonly string[],
): string | undefined {
  const missing = wanted.filter(each => !there.includes(each));
  return missing.length === 0 ? undefined : `${what}: ${missing.join(', ')}`;
}
