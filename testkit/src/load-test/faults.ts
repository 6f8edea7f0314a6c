import type { TestSandbox } from '../sandbox.ts';

const HOUR_MS = 60 * 60_000;
const INTENTS = 'POST /v1/payment_intents';
const ORDERS = 'POST /v2/checkout/orders';

type Provider = 'stripe' | 'paypal' | 'btcpay';
type Fault = { match: object; do: unknown; probability: number };
const api = (provider: Provider, path: string, what: unknown, probability: number): Fault => ({
  match: { provider, path },
  do: what,
  probability,
});
const list = (provider: Provider, path: string, probability: number): Fault => ({
  match: { provider, list: path },
  do: { late: HOUR_MS },
  probability,
});
const event = (provider: Provider, what: unknown, probability: number): Fault => ({
  match: { provider, event: '*' },
  do: what,
  probability,
});

/** Calls that move or prepare money, and calls that only read. */
const calls: Record<Provider, { moving: readonly string[]; looking: string }> = {
  stripe: {
    moving: [INTENTS, `${INTENTS}/*`, 'POST /v1/refunds', 'POST /v1/customers'],
    looking: 'GET /v1/*',
  },
  paypal: { moving: [ORDERS, `${ORDERS}/*`, 'POST /v2/payments/*'], looking: 'GET /v2/*' },
  btcpay: { moving: ['POST /api/v1/*'], looking: 'GET /api/v1/*' },
};
const providers = Object.keys(calls) as Provider[];

/** Every fault of the providers and the mail server, each likely to strike some of 60 buyers. */
const faults: readonly Fault[] = [
  ...providers.flatMap(provider => [
    ...calls[provider].moving.flatMap(path => [
      api(provider, path, 'commitThenDropConnection', 0.06),
      api(provider, path, '500AfterCommit', 0.05),
      api(provider, path, '500', 0.03),
      api(provider, path, 'truncateBody', 0.03),
      api(provider, path, 'drop', 0.03),
      api(provider, path, '429', 0.02),
      api(provider, path, '409', 0.02),
      api(provider, path, { delayAfterCommit: 300 }, 0.04),
      api(provider, path, { delayBefore: 300 }, 0.04),
    ]),
    api(provider, calls[provider].looking, '500', 0.03),
    api(provider, calls[provider].looking, 'drop', 0.03),
    event(provider, 'drop', 0.15),
    event(provider, { duplicate: 3 }, 0.1),
    event(provider, { delay: 5 * 60_000 }, 0.1),
    event(provider, 'reorder', 0.1),
    event(provider, 'badSignature', 0.03),
    event(provider, 'oldTimestamp', 0.03),
    event(provider, 'truncateBody', 0.03),
  ]),
  list('stripe', '/v1/payment_intents', 0.5),
  list('stripe', '/v1/refunds', 0.5),
  list('paypal', '/v2/checkout/orders/*', 0.5),
  ...['tryLater', 'refuseConnections'].map(what => ({
    match: { provider: 'mail' },
    do: what,
    probability: 0.05,
  })),
];

/** Faults that make a caller wait for its timeout of 10 s. */
const slow: readonly Fault[] = [
  api('stripe', INTENTS, 'hang', 0.01),
  api('paypal', `${ORDERS}/*`, 'hang', 0.01),
  ...providers.map(provider => event(provider, 'hang', 0.01)),
];

/** Enables all faults from now on, drawn from a seed. */
export async function enableFaults(
  sandbox: Pick<TestSandbox, 'control'>,
  seed: string,
  patient: boolean,
): Promise<void> {
  for (const [index, fault] of [...faults, ...(patient ? slow : [])].entries()) {
    await sandbox.control('faults', { ...fault, seed: `${seed}:${index}` });
  }
}

/** Counts the faults by kind. `calm`: a violation when none struck, because such a load test shows nothing. */
export async function countFaults(sandbox: Pick<TestSandbox, 'control'>) {
  const { struck } = await sandbox.control<{ struck: Record<string, number> }>('faults');
  return { struck, calm: Object.keys(struck).length === 0 ? ['no fault struck'] : [] };
}
