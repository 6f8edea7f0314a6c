import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { Fault, withBackOff } from '@fixpoint/web-client/faults.ts';

let loaded: PublicConfig | undefined;

/** Loads `/config.json`, once and before anything else, with retries. */
export async function loadConfig(): Promise<PublicConfig> {
  loaded = await withBackOff(async () => {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(15_000) }).catch(
      () => undefined,
    );
    if (!answer?.ok) throw new Fault('could not load /config.json');
    return (await answer.json()) as PublicConfig;
  });
  return loaded;
}

/** The configuration. Throws before `loadConfig` has resolved. */
export function config(): PublicConfig {
  if (!loaded) throw new Error('config() before loadConfig()');
  return loaded;
}
