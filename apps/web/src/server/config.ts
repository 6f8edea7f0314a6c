import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { Fault, Refusal, withBackOff } from '@fixpoint/web-client/faults.ts';

let loaded: PublicConfig | undefined;

/**
 * Loads `/config.json`, once and before anything else. Retries a passing fault; throws a `Refusal`
 * where the server refuses it for good.
 */
export async function loadConfig(): Promise<PublicConfig> {
  loaded = await withBackOff(async () => {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(15_000) }).catch(
      () => undefined,
    );
    if (!answer?.ok) throw refusalOf(answer);
    return (await answer.json()) as PublicConfig;
  });
  return loaded;
}

const refusalOf = (answer: Response | undefined) =>
  answer && answer.status < 500
    ? new Refusal('9900', answer.status)
    : new Fault('could not load /config.json');

/** The configuration. Throws before `loadConfig` has resolved. */
export function config(): PublicConfig {
  if (!loaded) throw new Error('config() before loadConfig()');
  return loaded;
}

/** Banks whose debit cards the shop does not take, by the names that customers know them by. */
export const unsupportedDebitIssuers = (): readonly string[] => loaded?.UNSUPPORTED_DEBIT_ISSUERS ?? [];
