import {
  Client,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
  VaultController,
} from '@paypal/paypal-server-sdk';

const PAYPAL = /^https:\/\/api-m(\.sandbox)?\.paypal\.com/;

/** Creates PayPal's official library, which validates every answer, for a sandbox. */
export function paypalClient(sandboxUrl: string, clientId: string, secret: string) {
  const client = new Client({
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: secret },
    // The library knows only PayPal's own two hosts.
    unstable_httpClientOptions: {
      adapter: 'fetch',
      env: {
        fetch: (url: string, init: RequestInit) => fetch(url.replace(PAYPAL, sandboxUrl), init),
        Request: null,
        Response: null,
      },
    },
  });
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    search: new TransactionSearchController(client),
    vault: new VaultController(client),
  };
}

/** What an order sells: 199 baht, named by the attempt and its invoice. */
export const soldUnit = (number: number) => ({
  amount: { currencyCode: 'THB', value: '199.00' },
  customId: `att_${number}`,
  invoiceId: `R-${number}`,
});
