import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { createClient, type TestClient } from './client.ts';

/** Addresses of a test's shop and of its sandbox. */
export type Place = { url: string; sandboxUrl: string };
export type OrderState = DataOf<typeof orderCalls.purchase>;

/** Pauses between two probes, in ms. They grow, so that many waiting tests leave the processor to the shop. */
const PAUSES = { first: 10, last: 200, growth: 1.25 };

/** Polls `probe` until it returns a truthy value. @throws after `ms`, which ends a hang and measures no speed */
export async function until<T>(
  probe: () => Promise<T | undefined | false>,
  what: string,
  ms = 60_000,
): Promise<T> {
  const end = performance.now() + ms;
  for (let pause = PAUSES.first; ; pause = Math.min(pause * PAUSES.growth, PAUSES.last)) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise(done => setTimeout(done, pause));
  }
}

export const PASSWORD = 'Correct.horse1'.replace('.', '!');

/** Begins an order up to the moment before payment: the cheapest plan for one month, in the demo region. */
export async function beginOrder(
  client: TestClient,
  choice: { planId?: string; cycleCount?: 1 | 3 | 6 | 12; currency?: string; providerId?: string } = {},
) {
  const { currency = 'THB' } = choice;
  const product = await client.order.getProduct({
    body: {
      planId: choice.planId ?? 'solo',
      cycleCount: choice.cycleCount ?? 1,
      providerId: choice.providerId ?? 'demo',
      regionId: 'th-bkk',
      vendorId: 'fixpoint',
      currency,
    },
  });
  const { metadata } = (
    await client.order.getMetaData({ body: { productId: product.data!.product.id, currency } })
  ).data!;
  const terms = await client.text.getTerm();
  return {
    metadata,
    consent: {
      metadata,
      paymentMethod: 'card' as const,
      termsVersion: terms.data!.version,
      price: { currency, price: product.data!.total.price },
    },
  };
}

/** The payment at the card provider that an order's page offers. @throws when it offers none */
export function cardPaymentOf(order: Pick<OrderState, 'payment'> | undefined): string {
  const nextAction = order?.payment?.nextAction;
  if (nextAction?.kind !== 'card') throw new Error('This order has no payment to make by card');
  return nextAction.ref;
}

/** The client secret with which an order's page lets the bank ask. @throws when the bank asks nothing */
export function clientSecretOf(order: Pick<OrderState, 'payment'> | undefined): string {
  const nextAction = order?.payment?.nextAction;
  if (nextAction?.kind !== 'authenticate') throw new Error('The bank asks nothing about this order');
  return nextAction.clientSecret;
}

/** The PayPal order that an order's page redirects to. @throws when it does not redirect to PayPal */
export function paypalOrderOf(order: Pick<OrderState, 'payment'> | undefined): string {
  const nextAction = order?.payment?.nextAction;
  if (nextAction?.kind !== 'redirect') throw new Error('This order does not lead to PayPal');
  return new URL(nextAction.url).searchParams.get('token')!;
}

const publishableKey = async ({ url }: Place): Promise<string> =>
  ((await (await fetch(`${url}/config.json`)).json()) as { STRIPE_PUB: string }).STRIPE_PUB;

/** Creates a card at the provider, as the card fields do in the browser. @returns its id, by which the server can pay */
export async function makeCard(
  place: Place,
  card: Record<string, string> = {},
  holder = 'Ann Example',
): Promise<string> {
  const form = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123', ...card };
  const response = await fetch(`${place.sandboxUrl}/v1/payment_methods`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await publishableKey(place)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      type: 'card',
      'billing_details[name]': holder,
      ...Object.fromEntries(Object.entries(form).map(([name, value]) => [`card[${name}]`, value])),
    }),
  });
  return ((await response.json()) as { id: string }).id;
}

type Confirmed = { status: number; body: Record<string, unknown> };

/** Tries to confirm a payment or setup intent past the shop, as anyone who holds the client secret can. */
export async function confirmPastShop(
  place: Place,
  clientSecret: string,
  paymentMethod: string,
): Promise<Confirmed> {
  const intent = clientSecret.split('_secret')[0]!;
  const form = { client_secret: clientSecret, payment_method: paymentMethod };
  return confirmIntent(place.sandboxUrl, await publishableKey(place), intent, form);
}

/** Confirms a payment with the shop's key, as if the shop had lost the answer to its call. */
export const confirmCard = (
  { sandbox }: { sandbox: { url: string; secretKey: string } },
  payment: string,
  paymentMethod = 'pm_card_visa',
): Promise<Confirmed> =>
  confirmIntent(sandbox.url, sandbox.secretKey, payment, { payment_method: paymentMethod });

/** Confirms an intent at the provider with either key. */
async function confirmIntent(
  url: string,
  key: string,
  intent: string,
  form: Record<string, string>,
): Promise<Confirmed> {
  const kind = intent.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const response = await fetch(`${url}/v1/${kind}/${intent}/confirm`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

type Email = {
  ID: string;
  Subject: string;
  Text: string;
  HTML: string;
  Attachments: { FileName: string; ContentType: string; Size: number }[];
};

/** Waits for the newest email to an address whose subject or text matches. */
export function emailTo(place: Place, address: string, fits: RegExp): Promise<Email> {
  return until(async () => {
    const query = encodeURIComponent(`to:${address}`);
    const list = (await (await fetch(`${place.sandboxUrl}/mail/api/v1/search?query=${query}`)).json()) as {
      messages: { ID: string }[];
    };
    for (const { ID } of list.messages) {
      const mail = (await (await fetch(`${place.sandboxUrl}/mail/api/v1/message/${ID}`)).json()) as Email;
      if (fits.test(mail.Subject) || fits.test(mail.Text)) return mail;
    }
    return undefined;
  }, `an email to ${address} that matches ${fits}`);
}

/** Buys as a visitor with a card, and loads the page once more after payment. */
export async function buyAsVisitor(
  place: Place,
  email: string,
  choice: Parameters<typeof beginOrder>[1] = {},
): Promise<{ metadata: string }> {
  const visitor = createClient(place.url);
  const { consent, metadata } = await beginOrder(visitor, choice);
  await visitor.order.purchase({ body: { ...consent, email, language: 'en' } });
  await visitor.order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  return { metadata };
}

/** Sets a password through the emailed link and logs in. */
export async function logInByEmail(
  place: Place,
  address: string,
): Promise<{ client: TestClient; token: string }> {
  const mail = await emailTo(place, address, /reset-password\?token=/);
  const link = /token=([\w-]+)/.exec(mail.Text)![1]!;
  const visitor = createClient(place.url);
  const set = await visitor.auth.setPassword(
    { body: { password: PASSWORD } },
    { authorization: `Bearer ${link}` },
  );
  if (set.code !== '0000') throw new Error(`setPassword answered ${set.code}`);
  const login = await visitor.auth.login({ body: { email: address, password: PASSWORD } });
  if (login.code !== '0000') throw new Error(`login answered ${login.code}`);
  return { client: createClient(place.url, login.token), token: login.token! };
}
