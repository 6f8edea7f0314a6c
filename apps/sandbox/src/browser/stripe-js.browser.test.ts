import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../start.ts';
import { providerOptions } from '../testing/provider-options.ts';

/** Runs inside the page; this project's types are Node's. */
declare const document: { activeElement: unknown };
declare function getComputedStyle(element: unknown): { color: string; fontSize: string };

const SECRET = 'sk_test_browser';
const PUBLISHABLE = 'pk_test_browser';
const YEAR = String((new Date().getUTCFullYear() + 2) % 100);
const require = createRequire(import.meta.url);
const LOADER = readFileSync(
  join(dirname(require.resolve('@stripe/stripe-js/package.json')), 'dist/pure.mjs'),
  'utf8',
);

/** A shop's page: the real loader of Stripe.js, a form, and the result in `#result`. */
const SHOP_SCRIPT = `
import { loadStripe } from '/loader.js';
const stripe = await loadStripe('${PUBLISHABLE}', { locale: document.documentElement.lang });
const elements = stripe.elements();
const style = { base: { color: 'rgb(1, 2, 3)', fontSize: '18px', '::placeholder': { color: 'rgb(4, 5, 6)' } }, invalid: { color: 'rgb(200, 0, 0)' } };
const split = new URLSearchParams(location.search).has('split');
const card = elements.create(split ? 'cardNumber' : 'card', { style });
const parts = split ? [card, elements.create('cardExpiry', { style }), elements.create('cardCvc', { style })] : [card];
const say = (id, value) => { document.getElementById(id).textContent = value; };
parts.forEach((part, index) => {
  part.on('change', event => { say('error', event.error?.message ?? ''); if (event.brand) say('brand', event.brand); });
  part.mount(document.getElementById('field' + index));
});
card.on('ready', () => say('state', 'ready'));
Object.assign(window, { stripe, elements, card });
const end = promise => promise.then(r => say('result', JSON.stringify(r.error
  ? { code: r.error.code, decline: r.error.decline_code, type: r.error.type }
  : { status: (r.paymentIntent ?? r.setupIntent).status })));
document.getElementById('pay').onclick = () => {
  say('result', '');
  const secret = document.getElementById('secret').value;
  end(secret.startsWith('seti_')
    ? stripe.confirmCardSetup(secret, { payment_method: { card } })
    : stripe.confirmCardPayment(secret, { payment_method: { card, billing_details: { name: 'Ann' } } }));
};
document.getElementById('promptpay').onclick = () => {
  say('result', '');
  end(stripe.confirmPromptPayPayment(document.getElementById('secret').value, { payment_method: { billing_details: { email: 'ann@example.com' } } }));
};
`;

const shopPage = (
  sandbox: string,
  lang: string,
) => `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Shop</title>
<script src="${sandbox}/v3/"></script><script type="module" src="/shop.js"></script>
<label for="field0">Card</label><div id="field0"></div><div id="field1"></div><div id="field2"></div>
<input id="secret"><button id="pay">Pay</button><button id="promptpay">PromptPay</button>
<p id="state"></p><p id="brand"></p><p id="error"></p><p id="result"></p></html>`;

let shop: Server;
let shopUrl: string;
let sandbox: Sandbox;
let stripe: Stripe;
let browser: Browser;

beforeAll(async () => {
  shop = createServer((request, reply) => {
    const url = new URL(request.url!, 'http://shop');
    if (url.pathname === '/shop.js')
      return reply.setHeader('content-type', 'text/javascript').end(SHOP_SCRIPT);
    if (url.pathname === '/loader.js') return reply.setHeader('content-type', 'text/javascript').end(LOADER);
    if (request.method === 'POST') return reply.end('ok');
    // As strict as the shop: no inline script or style, no string sinks, one foreign origin.
    reply.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self' ${sandbox.url}; frame-src ${sandbox.url}; connect-src 'self' ${sandbox.url}; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    return reply
      .setHeader('content-type', 'text/html')
      .end(shopPage(sandbox.url, url.searchParams.get('lang') ?? 'en'));
  });
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    secretKey: SECRET,
    publishableKey: PUBLISHABLE,
    webhookSecret: 'whsec_browser',
    webhookUrl: `${shopUrl}/webhooks/stripe`,
    ...providerOptions(shopUrl),
    controlToken: 'control-token-of-the-test',
    shopOrigins: [shopUrl],
  });
  const { hostname, port } = new URL(sandbox.url);
  stripe = new Stripe(SECRET, { host: hostname, port, protocol: 'http' });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

afterAll(async () => {
  await browser?.close();
  await sandbox?.stop();
  shop?.close();
});

/**
 * Opens the shop. Policy violations, page errors and requests that leave this machine fail the
 * test.
 */
async function openShop(query = ''): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !/status of 4/.test(message.text()))
      faults.push(message.text());
  });
  page.on('pageerror', error => faults.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith('http://127.0.0.1:')) faults.push(`outside: ${request.url()}`);
  });
  await page.goto(`${shopUrl}/${query}`);
  await page.locator('#state', { hasText: 'ready' }).waitFor();
  return { page, faults };
}

async function typeCard(page: Page, number: string, split = false) {
  const frame = (index: number) => page.locator(`#field${split ? index : 0}`).frameLocator('iframe');
  await frame(0).locator('[name=cardnumber]').fill(number);
  await frame(1).locator('[name=exp-date]').fill(`12 / ${YEAR}`);
  await frame(2).locator('[name=cvc]').fill('123');
}

async function pay(page: Page, secret: string) {
  await page.locator('#secret').fill(secret);
  await page.locator('#pay').click();
}

const answerBank = (page: Page, answer: 'complete' | 'fail') =>
  page.frameLocator('iframe[title="3D Secure"]').getByTestId(`3ds-${answer}`).click();

async function result(page: Page): Promise<unknown> {
  await page.locator('#result', { hasText: '{' }).waitFor();
  return JSON.parse((await page.locator('#result').textContent())!);
}

const newPayment = () =>
  stripe.paymentIntents.create({ amount: 29_900, currency: 'thb', allowed_payment_method_types: ['card'] });

describe('the replacement of Stripe.js, under a strict policy', () => {
  const cases: [card: string, answer: 'complete' | 'fail' | undefined, expected: object][] = [
    ['4242424242424242', undefined, { status: 'succeeded' }],
    [
      '4000000000000002',
      undefined,
      { type: 'card_error', code: 'card_declined', decline: 'generic_decline' },
    ],
    [
      '4000000000009995',
      undefined,
      { type: 'card_error', code: 'card_declined', decline: 'insufficient_funds' },
    ],
    ['4000002500003155', 'complete', { status: 'succeeded' }],
    [
      '4000002500003155',
      'fail',
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
    ],
    ['4000002760003184', 'complete', { status: 'succeeded' }],
    [
      '4000002760003184',
      'fail',
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
    ],
    ['4000000000003220', 'complete', { status: 'succeeded' }],
    [
      '4000000000003220',
      'fail',
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
    ],
    [
      '4000008260003178',
      'complete',
      { type: 'card_error', code: 'card_declined', decline: 'insufficient_funds' },
    ],
  ];
  it.each(cases)('card %s, bank question: %s', async (number, answer, expected) => {
    const { page, faults } = await openShop();
    const intent = await newPayment();
    await typeCard(page, number);
    await pay(page, intent.client_secret!);
    if (answer) await answerBank(page, answer);
    expect(await result(page)).toEqual(expected);
    expect(faults).toEqual([]);
    const stored = await stripe.paymentIntents.retrieve(intent.id);
    expect(stored.status).toBe('status' in expected ? 'succeeded' : 'requires_payment_method');
    await page.close();
  });

  it('S41 the card number is in no field of the shop page and in no address', async () => {
    const { page } = await openShop();
    const addresses: string[] = [];
    page.on('request', request => addresses.push(request.url()));
    const intent = await newPayment();
    await typeCard(page, '4242424242424242');
    await pay(page, intent.client_secret!);
    await result(page);
    const seen: string = await page.evaluate(
      "document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(input => input.value).join()",
    );
    expect(seen.replace(/\D/g, '')).not.toContain('4242424242424242');
    expect(addresses.join()).not.toContain('4242424242424242');
    await page.close();
  });

  it('pays from three separate fields', async () => {
    const { page, faults } = await openShop('?split');
    await page.locator('#field2 iframe').waitFor();
    const intent = await newPayment();
    await typeCard(page, '5555555555554444', true);
    await page.locator('#brand', { hasText: 'mastercard' }).waitFor();
    await pay(page, intent.client_secret!);
    expect(await result(page)).toEqual({ status: 'succeeded' });
    expect(faults).toEqual([]);
    await page.close();
  });

  it("saves a card after the bank's question", async () => {
    const { page, faults } = await openShop();
    const customer = await stripe.customers.create({});
    const setup = await stripe.setupIntents.create({
      customer: customer.id,
      allowed_payment_method_types: ['card'],
    });
    await typeCard(page, '4000002500003155');
    await pay(page, setup.client_secret!);
    await answerBank(page, 'complete');
    expect(await result(page)).toEqual({ status: 'succeeded' });
    const saved = await stripe.customers.listPaymentMethods(customer.id);
    expect(saved.data.map(method => method.card?.last4)).toEqual(['3155']);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('creates a payment method, and answers the bank for a payment that the server confirmed', async () => {
    const { page, faults } = await openShop();
    await typeCard(page, '4000000000003220');
    const method: string = await page.evaluate(
      "stripe.createPaymentMethod({ type: 'card', card, billing_details: { name: 'Ann' } }).then(made => made.paymentMethod.id)",
    );
    expect((await stripe.paymentMethods.retrieve(method)).billing_details.name).toBe('Ann');
    const intent = await stripe.paymentIntents.create({
      amount: 29_900,
      currency: 'thb',
      allowed_payment_method_types: ['card'],
      payment_method: method,
      confirm: true,
    });
    expect(intent.status).toBe('requires_action');
    const answered = page.evaluate(`stripe.handleNextAction({ clientSecret: '${intent.client_secret}' })`);
    await answerBank(page, 'complete');
    expect(await answered).toMatchObject({ paymentIntent: { id: intent.id, status: 'succeeded' } });
    const looked = await page.evaluate(`stripe.retrievePaymentIntent('${intent.client_secret}')`);
    expect(looked).toMatchObject({ paymentIntent: { status: 'succeeded' } });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('pays with a saved card, and clears, disables, removes and mounts the field again', async () => {
    const { page, faults } = await openShop();
    const customer = await stripe.customers.create({});
    const saved = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const intent = await stripe.paymentIntents.create({
      amount: 29_900,
      currency: 'thb',
      customer: customer.id,
      allowed_payment_method_types: ['card'],
    });
    const paid = page.evaluate(
      `stripe.confirmCardPayment('${intent.client_secret}', { payment_method: '${saved.id}' })`,
    );
    expect(await paid).toMatchObject({ paymentIntent: { status: 'succeeded' } });

    const number = page.frameLocator('#field0 iframe').locator('[name=cardnumber]');
    await number.fill('4242');
    await page.evaluate('card.clear()');
    await expect.poll(() => number.inputValue()).toBe('');
    await page.evaluate('card.update({ disabled: true })');
    await expect.poll(() => number.isDisabled()).toBe(true);
    await page.evaluate('card.unmount()');
    expect(await page.locator('#field0 iframe').count()).toBe(0);
    await page.evaluate("card.mount('#field1')");
    await page.frameLocator('#field1 iframe').locator('[name=cvc]').waitFor();
    await page.evaluate('card.destroy()');
    expect(await page.evaluate("elements.getElement('card')")).toBeNull();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('formats, styles and validates input, in the shop’s language', async () => {
    const { page } = await openShop('?lang=th');
    const number = page.frameLocator('#field0 iframe').locator('[name=cardnumber]');
    expect(await number.evaluate(input => getComputedStyle(input).color)).toBe('rgb(1, 2, 3)');
    expect(await number.evaluate(input => getComputedStyle(input).fontSize)).toBe('18px');
    expect(await number.getAttribute('autocomplete')).toBe('cc-number');
    await page.locator('label').click();
    await expect.poll(() => number.evaluate(input => document.activeElement === input)).toBe(true);
    await page.keyboard.type('4242424242424241');
    expect(await number.inputValue()).toBe('4242 4242 4242 4241');
    await page.locator('#error', { hasText: 'หมายเลขบัตรของคุณไม่ถูกต้อง' }).waitFor();
    expect(await number.evaluate(input => getComputedStyle(input).color)).toBe('rgb(200, 0, 0)');
    expect(await page.locator('#field0').getAttribute('class')).toContain('StripeElement--invalid');
    await pay(page, (await newPayment()).client_secret!);
    expect(await result(page)).toEqual({ type: 'validation_error', code: 'invalid_number' });
    await page.close();
  });

  it('pays by PromptPay when the code is scanned, and not when it expires', async () => {
    for (const [button, expected] of [
      ['promptpay-pay', { status: 'succeeded' }],
      ['promptpay-expire', { type: 'invalid_request_error', code: 'payment_intent_payment_attempt_expired' }],
    ] as const) {
      const { page, faults } = await openShop();
      const intent = await stripe.paymentIntents.create({
        amount: 29_900,
        currency: 'thb',
        allowed_payment_method_types: ['promptpay'],
      });
      await page.locator('#secret').fill(intent.client_secret!);
      await page.locator('#promptpay').click();
      await page.frameLocator('iframe[title="PromptPay"]').getByTestId(button).click();
      expect(await result(page)).toEqual(expected);
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  it('allows no other site to frame the card fields', async () => {
    const page = await browser.newPage();
    const stranger = createServer((_, reply) =>
      reply
        .setHeader('content-type', 'text/html')
        .end(`<iframe src="${sandbox.url}/v3/elements/card"></iframe>`),
    );
    await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);
    await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error');
    await page.close();
    stranger.close();
  });
});
