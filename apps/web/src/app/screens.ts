import type { ComponentType } from 'react';
import type { TextKey } from '../shop/texts.ts';
import type { Guard } from './guard.ts';

export type Layout = 'default' | 'login' | 'dashboard';
/** Every module of `screens/` exports its component under this name. */
export type ScreenModule = { Screen: ComponentType };
export type ScreenEntry = {
  /** Path below the language. */
  path: string;
  load: () => Promise<ScreenModule>;
  guard: Guard;
  layout: Layout;
  /** Title of the window, followed by the brand name. */
  title: TextKey;
};

/** Makes entries of screens that have layout and guard in common. */
const screensOf =
  (layout: Layout, guard: Guard, folder = '') =>
  (path: string, load: ScreenEntry['load'], title: TextKey): ScreenEntry => ({
    path: folder + path,
    load,
    guard,
    layout,
    title,
  });

const ofShop = screensOf('default', 'public');
const ofLogin = screensOf('login', 'guestOnly', 'auth/');
/** Opened by a link of an email. */
const ofLink = screensOf('login', 'public');
const ofAccount = screensOf('dashboard', 'customer', 'management/');

/**
 * The table of routes, also read by tools. To add a screen, add a file in `screens/` and an entry
 * here.
 */
export const screens: ScreenEntry[] = [
  screensOf('default', 'guestOnly')('', () => import('../screens/home.tsx'), 'home.title'),
  ofShop('get-started', () => import('../screens/get-started.tsx'), 'plans.title'),
  ofShop('what-is-vpn', () => import('../screens/what-is-vpn.tsx'), 'vpn.title'),
  ofShop('order', () => import('../screens/order.tsx'), 'order.title'),
  ofShop('success', () => import('../screens/success.tsx'), 'order.title'),
  ofShop('status', () => import('../screens/by-link.tsx'), 'status.title'),
  ofLogin('login', () => import('../screens/auth/login.tsx'), 'login.title'),
  ofLogin('sign-up', () => import('../screens/auth/sign-up.tsx'), 'signUp.title'),
  ofLogin('forgot-password', () => import('../screens/auth/forgot-password.tsx'), 'forgot.title'),
  ofLogin('reset-password', () => import('../screens/auth/reset-password.tsx'), 'setPassword.title'),
  ofLink('file', () => import('../screens/file.tsx'), 'file.title'),
  ofShop('pay', () => import('../screens/pay-link.tsx'), 'payLink.title'),
  ...(
    [
      ['place-notice', 'placeNotice.title'],
      ['undo-email', 'undoEmail.title'],
      ['invitation', 'team.join.title'],
    ] as const
  ).map(([path, title]) => ofLink(path, () => import('../screens/by-link.tsx'), title)),
  ofAccount('dashboard', () => import('../screens/management/dashboard.tsx'), 'nav.overview'),
  ofAccount('my-account', () => import('../screens/management/my-account.tsx'), 'nav.account'),
  ofAccount('billing', () => import('../screens/management/billing.tsx'), 'nav.billing'),
  ofAccount('billing/:id', () => import('../screens/management/invoice.tsx'), 'billing.invoiceTitle'),
  ofAccount('subscription', () => import('../screens/management/subscriptions.tsx'), 'subscriptions.title'),
  ofAccount('addresses', () => import('../screens/management/addresses.tsx'), 'allowList.title'),
  ofAccount('subscription/:id', () => import('../screens/management/subscription.tsx'), 'subscription.title'),
  ofAccount('subscription/:id/pay', () => import('../screens/management/pay.tsx'), 'order.payment.title'),
  ofAccount(
    'subscription/:id/bandwidth-control',
    () => import('../screens/management/bandwidth-control.tsx'),
    'bandwidth.title',
  ),
  ofAccount('subscription/:id/upgrade', () => import('../screens/management/upgrade.tsx'), 'upgrade.title'),
  // The second path is for links from other sites.
  ...['management/', ''].map(folder =>
    screensOf('dashboard', 'customer', folder)(
      'subscription/new',
      () => import('../screens/management/new-subscription.tsx'),
      'subscriptions.new',
    ),
  ),
  // The last entry catches all unknown paths.
  ...['404', '*'].map(path => ofShop(path, () => import('../screens/not-found.tsx'), 'notFound.title')),
];
