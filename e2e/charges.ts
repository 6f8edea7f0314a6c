import type { Page } from '@playwright/test';
import { testStack } from './env.ts';

type Ledger = { charges: { payment_intent: string; amount: number; currency: string }[] };

/** Follows the payments that a page begins and counts what the provider has really charged for them. */
export function countCharges(...pages: Page[]) {
  const intents = new Set<string>();
  for (const page of pages) {
    page.on('request', request => {
      const intent = /\/v1\/payment_intents\/(pi_\w+)/.exec(request.url())?.[1];
      if (intent) intents.add(intent);
    });
  }
  return async () => {
    const { sandboxUrl, controlToken } = testStack();
    const headers = { authorization: `Bearer ${controlToken}` };
    const ledger = (await (await fetch(`${sandboxUrl}/_sbx/ledger`, { headers })).json()) as Ledger;
    return ledger.charges.filter(charge => intents.has(charge.payment_intent));
  };
}
