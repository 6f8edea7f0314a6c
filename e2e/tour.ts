import type { Language } from '@fixpoint/contract/languages.ts';
import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { buyAsVisitor, logInByEmail, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import type { BrowserContext, Page } from '@playwright/test';
import type { TestStack } from './env.ts';
import { freshAddress } from './mailbox.ts';
import { type Answers, behind, ended, inDays, pastDue, showAs, usedFor } from './shown-as.ts';
import { type Say, say } from './texts.ts';

// Imported by URL: otherwise the compiler would check the web client with the server's settings.
const screensFile = new URL('../apps/web/src/app/screens.ts', import.meta.url).href;
const { screens } = (await import(screensFile)) as {
  screens: { path: string; guard: string; layout: string }[];
};

/** A customer with an active subscription, two keys and the order of its purchase. */
export type Guide = {
  url: string;
  subscriptionId: string;
  invoiceId: string;
  order: { reference: string; metadata: string; email: string };
};

/** Creates by API calls what the customer's screens need to show. */
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

/** A screen with an address at which it shows something. `as`: changed answers that put it into another state. */
export type Stop = { name: string; path: string; asCustomer: boolean; layout: string; as?: Answers };

/** Screens without a stop of their own: any other path shows the same as `404`, and the pay screen needs a state below. */
const PAY = 'management/subscription/:id/pay';
const elsewhere = ['*', PAY];

/** Screens that look different for a past-due or ended subscription. */
const states: { name: string; path: string; as: Answers }[] = [
  { name: 'pay', path: PAY, as: { getSubscription: pastDue({ stopped: 'confirm' }) } },
  {
    name: 'subscription-past-due',
    path: 'management/subscription/:id',
    as: { getSubscription: pastDue({ stopped: 'refused' }) },
  },
  { name: 'subscription-host-behind', path: 'management/subscription/:id', as: { getSubscription: behind } },
  { name: 'subscription-ended', path: 'management/subscription/:id', as: { getSubscription: ended } },
  {
    name: 'dashboard-past-due',
    path: 'management/dashboard',
    as: {
      mySubscription: list => ({ ...list, items: list.items.map(pastDue({}, { filesUntil: inDays(9) })) }),
      getBandwidth: line => ({ ...line, ...usedFor(3) }),
    },
  },
];

/** All entries of the client's table of screens, so that a new screen is included from its first day. */
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
  // Last, because the page keeps the changed answers.
  const inStates = states.map(({ name, path, as }) => ({
    name: `management-${name}`,
    path: addressOf(path),
    asCustomer: true,
    layout: screens.find(each => each.path === path)!.layout,
    as,
  }));
  return [...asTheyAre, ...inStates];
}

/** Logs in again for each window: access tokens are short-lived, and a refresh token works once. */
async function logIn({ url, order }: Guide): Promise<Record<string, string>> {
  const answer = await createClient(url).auth.login({ body: { email: order.email, password: PASSWORD } });
  if (!answer.token) throw new Error(`login answered ${answer.code}`);
  return { token: answer.token, refreshToken: '' };
}

/** Opens a window as the customer, or as a visitor who has returned to their order. */
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
 * Goes to a screen (within the page when one of the shop's is open) and waits until it is complete: its headline, no part
 * that still loads, every font. `t` are the texts of the page.
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
  // Not the headline of the prerendered shell, which has no name to jump to.
  await page.locator('#main h1:not([data-before])').first().waitFor();
  const label = JSON.stringify(t('app.loading'));
  await until(
    async () => {
      // Lazy parts load when a person does anything on the page.
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
  // The payment page in its frame reports when its fields are ready; behind a saved card it is hidden.
  for (const frame of page.frames().filter(each => each.url().endsWith('/pay.html'))) {
    await frame.locator('[aria-busy=false]').first().waitFor({ state: 'attached' });
  }
  const shown = new URL(page.url()).hash.split('?')[0];
  if (shown !== `#/${language}${stop.path}`.split('?')[0]) throw new Error(`${stop.name} led to ${shown}`);
}
