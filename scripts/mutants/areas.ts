/** A part of the product whose rules are changed one by one, and the tests that must notice. */
export type Area = {
  mutate: string[];
  tests: string[];
  /** Needs the database of the server tests. */
  server?: true;
};

/**
 * @param tests files, those first that notice most in the least time; what only others come by counts as held by none. Of
 *   a file only the tests that come by a change are run: one that needs those before it would notice whatever is changed
 */
const serverModule = (name: string, tests: string[]): Area => ({
  mutate: [`apps/api/src/modules/${name}/**/*.ts`],
  tests: [
    `apps/api/src/modules/${name}/**/*.test.ts`,
    ...tests.map(file => `apps/api/test/${file}.server.test.ts`),
  ],
  server: true,
});

export const areas: Record<string, Area> = {
  domain: {
    mutate: ['packages/domain/src/**/*.ts'],
    tests: ['packages/domain/src/**/*.test.ts'],
  },
  billing: serverModule('billing', ['invoices', 'documents', 'ledger', 'billing', 'credit']),
  payment: serverModule('payment', [
    ...[
      'attempts',
      'giving-back',
      'pay-invoice',
      'kept-charges',
      'kept-ways',
      'saving-cards',
      'chosen-ways',
      'told-money',
      'payments',
      'payers',
      'promptpay',
      'refund-returns',
      'refunds',
    ],
    ...[
      'cards',
      'paypal',
      'paypal-closed',
      'bitcoin',
      'disputes',
      'disputed-days',
      'kept-cards',
      'kept-years',
    ],
  ]),
  provisioning: serverModule('provisioning', [
    ...['host-sets', 'leaving-hosts', 'silent-hosts', 'silence-told', 'hosts', 'placement'],
    ...['provisioning', 'host-calls', 'delivery', 'catalogue'],
  ]),
};
