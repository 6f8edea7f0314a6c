import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { config } from '../../../server/config.ts';

type ScriptPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };

let loading: Promise<Stripe> | undefined;

/**
 * Loads the provider's script from the configured URL; its npm library then finds it and fetches
 * nothing itself. A failed load can be retried.
 */
export function loadCardProvider(): Promise<Stripe> {
  loading ??= load().catch(error => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Stripe> {
  const { STRIPE_JS_URL, STRIPE_PUB } = config();
  if (!('Stripe' in window)) await addScript(STRIPE_JS_URL);
  const stripe = await loadStripe(STRIPE_PUB);
  if (!stripe) throw new Error('the card provider’s script did not start');
  return stripe;
}

function addScript(url: string): Promise<void> {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  // The only script that this page adds, so the policy allows no other URL.
  const rules = { createScriptURL: () => url };
  const policy = types?.createPolicy('fixpoint-card-provider', rules) ?? rules;
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = policy.createScriptURL(url);
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('the card provider’s script failed to load'));
    };
    document.head.append(script);
  });
}
