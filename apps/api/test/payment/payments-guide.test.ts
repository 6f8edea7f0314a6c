import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { EVENTS as PAYPAL } from '../../src/adapters/paypal/check.ts';
import { EVENTS as STRIPE } from '../../src/adapters/stripe/check.ts';
import { namedAfter, unexplained } from './payments-guide.ts';

const ADAPTERS = join(import.meta.dirname, '../../src/adapters');
/** Messages that only a bug of this program causes, or that are part of another message. */
const OURS = ['PromptPay needs an email address', 'library calls', 'it answered …'];

/** Errors thrown for a provider, as a log shows them. */
const thrownBy = (provider: string): string[] =>
  readdirSync(join(ADAPTERS, provider))
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(join(ADAPTERS, provider, file), 'utf8'))
    .flatMap(source => [...source.matchAll(/(?:new Error|super|unreachable)\(\s*([`'"])(.*?)\1[,)]/g)])
    .map(([, , said]) => said!.replace(/\$\{[^}]+\}/g, '…'))
    .filter(said => !OURS.some(each => said.includes(each)));

test('the payments guide explains every log message about a provider', () => {
  const thrown = ['stripe', 'paypal', 'btcpay'].flatMap(thrownBy);
  expect(thrown.length).toBeGreaterThan(6);
  expect(unexplained(thrown)).toEqual([]);
});

test('the guide names exactly the events that the shop listens to', () => {
  expect(namedAfter('/webhooks/stripe').toSorted()).toEqual(STRIPE.toSorted());
  expect(namedAfter('/webhooks/paypal').toSorted()).toEqual(PAYPAL.toSorted());
});

test('both guides name the API version that the shop reads, because the check sees it only once a webhook exists', () => {
  for (const guide of ['payments', 'going-live'])
    expect(readFileSync(join(import.meta.dirname, `../../../../docs/operate/${guide}.md`), 'utf8')).toContain(
      `in API version \`${Stripe.API_VERSION}\``,
    );
});
