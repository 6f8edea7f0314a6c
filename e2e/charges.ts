import type { Page } from '@playwright/test';
import { control } from './control.ts';

type Ledger = { charges: { payment_intent: string; amount: number; currency: string }[] };

/** Tracks the payments that pages begin, and counts the provider's charges for them. */
export function countCharges(...pages: Page[]) {
  const intents = new Set<string>();
  for (const page of pages) {
    page.on('response', async response => {
      if (!response.url().includes('/v1/order/')) return;
      const said = await response.text().catch(() => '');
      for (const [, intent] of said.matchAll(/"(pi_[A-Za-z0-9]+)/g)) intents.add(intent!);
    });
  }
  return async () => {
    const ledger = await control<Ledger>('ledger');
    return ledger.charges.filter(charge => intents.has(charge.payment_intent));
  };
}
