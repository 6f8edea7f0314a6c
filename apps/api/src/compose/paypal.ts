import { createPaypalBooks } from '../adapters/paypal/books.ts';
import type { ProvenUrls } from '../adapters/paypal/certificates.ts';
import { createPaypalCheck } from '../adapters/paypal/check.ts';
import { openPaypal } from '../adapters/paypal/client.ts';
import { createPaypal } from '../adapters/paypal/paypal.ts';
import type { PaypalSettings } from '../adapters/paypal/settings.ts';

/** The adapters of PayPal. Loaded only where a shop uses it, because its library takes a third of the start. */
export function paypalParts(settings: PaypalSettings) {
  const client = openPaypal(settings);
  return {
    gateway: (proved: ProvenUrls) => createPaypal(client, proved),
    books: createPaypalBooks(client),
    check: (publicUrl: string) => createPaypalCheck(client, publicUrl),
  };
}
