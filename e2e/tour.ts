import type { Language } from '@fixpoint/contract/languages.ts';
import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { buyAsVisitor, logInByEmail, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { BrowserContext, Page } from '@playwright/test';
import type { TestStack } from './env.ts';
import { freshAddress } from './mailbox.ts';
import { type Answers, ended, inDays, owing, showAs } from './shown-as.ts';
import { type Say, say } from './texts.ts';

// By address, not by name: the compiler would check the web client with the settings of the server.
const screensFile = new URL('../apps/web/src/app/screens.ts', import.meta.url).href;
const { screens } = (await import(screensFile)) as {
  screens: { path: string; guard: string; layout: string }[];
};

/** A customer with a running subscription, two keys and the order that it came from. */
export type Guide = {
  url: string;
  subscriptionId: string;
  invoiceId: string;
  order: { reference: string; metadata: string; email: string };
};

/** Buys over the wire, as fast as the shop can, what the screens of a customer need to show something. */
export async function prepareGuide(stack: Pick<TestStack, 'url' | 'sandboxUrl'>): Promise<Guide> {
  const email = freshAddress();
  const { metadata } = await buyAsVisitor(stack, email, { planId: 'plus', cycleCount: 12 });
  const { client } = await logInByEmail(stack, email);
  const subscriptionId = await until(async () => {
    const { data } = await client.subscription.mySubscription({ body: { status: 'active' } });
    return data?.items[0]?.id;
  }, 'a subscription that runs');
  for (const name of ['Laptop', 'Phone'])
    await client.subscription.addKey({ body: { subscriptionId, name } });
  const { reference } = parseMetadata(metadata)!;
  const invoiceId = await until(async () => {
    const [invoice] = (await client.billing.myBilling()).data?.items ?? [];
    return invoice?.documentId && invoice.id;
  }, 'the receipt');
  return { url: stack.url, subscriptionId, invoiceId, order: { reference, metadata, email } };
}

/** A screen to look at, with an address on which it has something to show; `as`: in a state that it is not in. */
export type Stop = { name: string; path: string; asCustomer: boolean; layout: string; as?: Answers };

/** Every other path, which shows the same as `404`, is not looked at; to pay is something only in a state below. */
const PAY = 'management/subscription/:id/pay';
const elsewhere = ['*', PAY];

/** Screens that show much else of a customer who owes something, or whose subscription has ended. */
const states: { name: string; path: string; as: Answers }[] = [
  { name: 'pay', path: PAY, as: { getSubscription: owing({ stopped: 'confirm' }) } },
  {
    name: 'subscription-past-due',
    path: 'management/subscription/:id',
    as: { getSubscription: owing({ stopped: 'refused' }) },
  },
  { name: 'subscription-ended', path: 'management/subscription/:id', as: { getSubscription: ended } },
  {
    name: 'dashboard-past-due',
    path: 'management/dashboard',
    as: {
      mySubscription: list => ({ ...list, items: list.items.map(owing({}, { filesUntil: inDays(9) })) }),
      getBandwidth: line => ({ ...line, ...usedFor(3) }),
    },
  },
];

/** Two gigabytes of a day, one of them up, on each of the last days. */
const usedFor = (days: number) => {
  const used = { downBytes: 1_000_000_000, upBytes: 1_000_000_000 };
  const day = (ago: number) => ({ ...used, day: inDays(-ago).slice(0, 10) });
  return {
    months: [{ ...used, month: inDays(0).slice(0, 7) }],
    days: Array.from({ length: days }, (_, index) => day(index + 1)),
  };
};

/** Every line of the client's table of screens: a new screen is looked at from the day it is there. */
export function stops({ subscriptionId, invoiceId, order }: Guide): Stop[] {
  const queries: Record<string, string> = {
    order: '?plan=plus&cycle=12',
    success: `?order=${order.reference}`,
  };
  const addressOf = (path: string) =>
    `/${path.replace(':id', path.includes('billing') ? invoiceId : subscriptionId)}${queries[path] ?? ''}`.replace(
      /^\/$/,
      '',
    );
  const asTheyAre = screens
    .filter(({ path }) => !elsewhere.includes(path))
    .map(({ path, guard, layout }) => ({
      name: path === '' ? 'home' : path.replace('/:id', '-one').replaceAll('/', '-'),
      path: addressOf(path),
      asCustomer: guard === 'customer',
      layout,
    }));
  // Last: what a page is told once it keeps.
  const inStates = states.map(({ name, path, as }) => ({
    name: `management-${name}`,
    path: addressOf(path),
    asCustomer: true,
    layout: screens.find(each => each.path === path)!.layout,
    as,
  }));
  return [...asTheyAre, ...inStates];
}

/** A log-in of its own for each window: an access token is short-lived, and a refresh token serves once. */
async function logIn({ url, order }: Guide): Promise<Record<string, string>> {
  const answer = await createClient(url).auth.login({ body: { email: order.email, password: PASSWORD } });
  if (!answer.token) throw new Error(`login answered ${answer.code}`);
  return { token: answer.token, refreshToken: '' };
}

/** A window of the customer, or of a visitor who has come back to his order. */
export async function openWindow(context: BrowserContext, guide: Guide, asCustomer: boolean): Promise<Page> {
  const { reference, metadata, email } = guide.order;
  const local = asCustomer ? await logIn(guide) : {};
  const tab = { [`order.${reference}`]: JSON.stringify({ metadata, email }) };
  await context.addInitScript(`
    for (const [key, value] of Object.entries(${JSON.stringify(local)})) localStorage.setItem(key, value);
    for (const [key, value] of Object.entries(${JSON.stringify(tab)})) sessionStorage.setItem(key, value);
  `);
  return context.newPage();
}

/**
 * Goes to a screen (within the page, when one of the shop's is open) and waits until it is all there: its own
 * headline, no part that is still loading, every font. `t` are the texts that the page has been given.
 */
export async function visit(
  page: Page,
  guide: Guide,
  language: Language,
  stop: Stop,
  t: Say = say(language),
): Promise<void> {
  if (stop.as) {
    await page.goto('about:blank');
    await showAs(page, stop.as);
  }
  await page.evaluate(`document.querySelector('#main h1')?.setAttribute('data-before', '')`);
  await page.goto(`${guide.url}/#/${language}${stop.path}`);
  // Of the program, not of the first sight, which has no name to jump to.
  await page.locator('#main h1:not([data-before])').first().waitFor();
  const label = JSON.stringify(t('app.loading'));
  await until(
    async () => {
      // What is drawn when it is sought comes to whoever does anything.
      await page.keyboard.press('Shift');
      return page.evaluate<boolean>(`
        document.fonts.status === 'loaded' &&
        !document.querySelector('main [aria-busy=true], [role=progressbar]:not([aria-valuenow])') &&
        ![...document.querySelectorAll('main [role=status]')].some(each => (each.ariaLabel ?? each.textContent) === ${label})
      `);
    },
    `${stop.name} in ${language}, all of it`,
    20_000,
  );
  // It comes last.
  if (stop.layout === 'default') await page.getByRole('contentinfo').waitFor();
  // The pay document in its frame reports for itself when its fields are there; behind a saved card nobody sees them.
  for (const frame of page.frames().filter(each => each.url().endsWith('/pay.html'))) {
    await frame.locator('[aria-busy=false]').first().waitFor({ state: 'attached' });
  }
  const shown = new URL(page.url()).hash.split('?')[0];
  if (shown !== `#/${language}${stop.path}`.split('?')[0]) throw new Error(`${stop.name} led to ${shown}`);
}
