import {
  Client,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
  VaultController,
} from '@paypal/paypal-server-sdk';

const PAYPAL = /^https:\/\/api-m(\.sandbox)?\.paypal\.com/;

/** PayPal's official library, which checks every answer, against a sandbox. */
export function paypalClient(sandboxUrl: string, clientId: string, secret: string) {
  const client = new Client({
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: secret },
    // It knows PayPal's own two hosts only.
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
