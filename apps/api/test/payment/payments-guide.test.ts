import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { EVENTS as PAYPAL } from '../../src/adapters/paypal/check.ts';
import { EVENTS as STRIPE } from '../../src/adapters/stripe/check.ts';
import { namedAfter, unexplained } from './payments-guide.ts';

const ADAPTERS = join(import.meta.dirname, '../../src/adapters');
/** What only a fault of this program can bring about, or what stands in another of these. */
const OURS = ['PromptPay needs an email address', 'library calls', 'it answered …'];

/** What is thrown there, as a log tells it. */
const thrownBy = (provider: string): string[] =>
  readdirSync(join(ADAPTERS, provider))
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(join(ADAPTERS, provider, file), 'utf8'))
    .flatMap(source => [...source.matchAll(/(?:new Error|super|unreachable)\(\s*([`'"])(.*?)\1[,)]/g)])
    .map(([, , said]) => said!.replace(/\$\{[^}]+\}/g, '…'))
    .filter(said => !OURS.some(each => said.includes(each)));

test('the guide for payments explains whatever the log says of a provider', () => {
  const thrown = ['stripe', 'paypal', 'btcpay'].flatMap(thrownBy);
  expect(thrown.length).toBeGreaterThan(6);
  expect(unexplained(thrown)).toEqual([]);
});

test('it names just the events that the shop listens to', () => {
  expect(namedAfter('/webhooks/stripe').toSorted()).toEqual(STRIPE.toSorted());
  expect(namedAfter('/webhooks/paypal').toSorted()).toEqual(PAYPAL.toSorted());
});

test('both guides name the API version that the shop reads: the check can say it only once there is a webhook', () => {
  for (const guide of ['payments', 'going-live'])
    expect(readFileSync(join(import.meta.dirname, `../../../../docs/operate/${guide}.md`), 'utf8')).toContain(
      `in API version \`${Stripe.API_VERSION}\``,
    );
});
