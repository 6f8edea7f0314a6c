/** Code that is mutated, and the tests that must kill the mutants. */
export type Area = {
  mutate: string[];
  tests: string[];
  /** Needs the database of the server tests. */
  server?: true;
};

/** @param folders further folders of tests; code that only other tests reach counts as not covered */
const serverModule = (name: string, folders: string[]): Area => ({
  mutate: [`apps/api/src/modules/${name}/**/*.ts`],
  tests: [
    `apps/api/src/modules/${name}/**/*.test.ts`,
    ...[name, ...folders].map(folder => `apps/api/test/${folder}/*.server.test.ts`),
  ],
  server: true,
});

export const areas: Record<string, Area> = {
  domain: {
    mutate: ['packages/domain/src/**/*.ts'],
    tests: ['packages/domain/src/**/*.test.ts'],
  },
  billing: serverModule('billing', [
    'document',
    'checkout',
    'staff',
    'books',
    'subscription',
    'account',
    'payment',
  ]),
  payment: serverModule('payment', ['billing', 'checkout', 'subscription', 'books', 'staff']),
  provisioning: serverModule('provisioning', [
    'catalog',
    'key',
    'bandwidth',
    'subscription',
    'alert',
    'crypto',
    'staff',
  ]),
};
