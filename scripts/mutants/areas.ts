/** A part of the product whose rules are changed one by one, and the tests that must notice. */
export type Area = {
  mutate: string[];
  tests: string[];
  /** Needs the database of the server tests. */
  server?: true;
};

const serverModule = (name: string, tests: string[]): Area => ({
  mutate: [`apps/api/src/modules/${name}/**/*.ts`],
  tests: [...tests, 'privacy'].map(file => `apps/api/test/${file}.server.test.ts`),
  server: true,
});

export const areas: Record<string, Area> = {
  domain: {
    mutate: ['packages/domain/src/**/*.ts'],
    tests: ['packages/domain/src/**/*.test.ts'],
  },
  billing: serverModule('billing', ['billing', 'purchase']),
  payment: serverModule('payment', ['payments', 'payers', 'purchase']),
  provisioning: serverModule('provisioning', ['provisioning', 'keys', 'purchase']),
};
