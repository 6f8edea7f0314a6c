import type { TestSandbox } from '../sandbox.ts';

const HOUR_MS = 60 * 60_000;
const INTENTS = 'POST /v1/payment_intents';

type Fault = { match: object; do: unknown; probability: number };
const api = (path: string, what: unknown, probability: number): Fault => ({
  match: { provider: 'stripe', path },
  do: what,
  probability,
});
const event = (type: string, what: unknown, probability: number): Fault => ({
  match: { provider: 'stripe', event: type },
  do: what,
  probability,
});

/** Everything that can go wrong at the provider and the mail server, each often enough to meet some of 60 buyers. */
const faults: readonly Fault[] = [
  ...[INTENTS, `${INTENTS}/*`, 'POST /v1/refunds', 'POST /v1/customers'].flatMap(path => [
    api(path, 'commitThenDropConnection', 0.06),
    api(path, '500AfterCommit', 0.05),
    api(path, '500', 0.03),
    api(path, 'truncateBody', 0.03),
    api(path, 'drop', 0.03),
    api(path, '429', 0.02),
    api(path, '409', 0.02),
    api(path, { delayAfterCommit: 300 }, 0.04),
    api(path, { delayBefore: 300 }, 0.04),
  ]),
  api('GET /v1/*', '500', 0.03),
  api('GET /v1/*', 'drop', 0.03),
  { match: { provider: 'stripe', list: '/v1/payment_intents' }, do: { late: HOUR_MS }, probability: 0.5 },
  { match: { provider: 'stripe', list: '/v1/refunds' }, do: { late: HOUR_MS }, probability: 0.5 },
  event('*', 'drop', 0.15),
  event('*', { duplicate: 3 }, 0.1),
  event('*', { delay: 5 * 60_000 }, 0.1),
  event('*', 'reorder', 0.1),
  event('*', 'badSignature', 0.03),
  event('*', 'oldTimestamp', 0.03),
  event('*', 'truncateBody', 0.03),
  ...['tryLater', 'refuseConnections'].map(what => ({
    match: { provider: 'mail' },
    do: what,
    probability: 0.05,
  })),
];

/** Those for which somebody waits until he gives up, 10 s each. */
const slow: readonly Fault[] = [api(INTENTS, 'hang', 0.01), event('*', 'hang', 0.01)];

/** Lets everything go wrong from now on, by draws from a seed. */
export async function letThingsGoWrong(
  sandbox: Pick<TestSandbox, 'control'>,
  seed: string,
  patient: boolean,
): Promise<void> {
  for (const [index, fault] of [...faults, ...(patient ? slow : [])].entries()) {
    await sandbox.control('faults', { ...fault, seed: `${seed}:${index}` });
  }
}
