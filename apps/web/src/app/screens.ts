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

/** A screen of the account area. */
const ofAccount = (path: string, load: ScreenEntry['load'], title: TextKey): ScreenEntry => ({
  path: `management/${path}`,
  load,
  guard: 'customer',
  layout: 'dashboard',
  title,
});

/**
 * The table of routes, also read by tools. To add a screen, add a file in `screens/` and an entry
 * here.
 */
export const screens: ScreenEntry[] = [
  {
    path: '',
    load: () => import('../screens/home.tsx'),
    guard: 'guestOnly',
    layout: 'default',
    title: 'home.title',
  },
  {
    path: 'get-started',
    load: () => import('../screens/get-started.tsx'),
    guard: 'public',
    layout: 'default',
    title: 'plans.title',
  },
  {
    path: 'what-is-vpn',
    load: () => import('../screens/what-is-vpn.tsx'),
    guard: 'public',
    layout: 'default',
    title: 'vpn.title',
  },
  {
    path: 'order',
    load: () => import('../screens/order.tsx'),
    guard: 'public',
    layout: 'default',
    title: 'order.title',
  },
  {
    path: 'success',
    load: () => import('../screens/success.tsx'),
    guard: 'public',
    layout: 'default',
    title: 'order.title',
  },
  {
    path: 'auth/login',
    load: () => import('../screens/auth/login.tsx'),
    guard: 'guestOnly',
    layout: 'login',
    title: 'login.title',
  },
  {
    path: 'auth/sign-up',
    load: () => import('../screens/auth/sign-up.tsx'),
    guard: 'guestOnly',
    layout: 'login',
    title: 'signUp.title',
  },
  {
    path: 'auth/forgot-password',
    load: () => import('../screens/auth/forgot-password.tsx'),
    guard: 'guestOnly',
    layout: 'login',
    title: 'forgot.title',
  },
  {
    path: 'auth/reset-password',
    load: () => import('../screens/auth/reset-password.tsx'),
    guard: 'guestOnly',
    layout: 'login',
    title: 'setPassword.title',
  },
  {
    path: 'file',
    load: () => import('../screens/file.tsx'),
    guard: 'public',
    layout: 'login',
    title: 'file.title',
  },
  {
    path: 'pay',
    load: () => import('../screens/pay-link.tsx'),
    guard: 'public',
    layout: 'default',
    title: 'payLink.title',
  },
  {
    path: 'place-notice',
    load: () => import('../screens/place-notice.tsx'),
    guard: 'public',
    layout: 'login',
    title: 'placeNotice.title',
  },
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
  ...['management/subscription/new', 'subscription/new'].map(
    (path): ScreenEntry => ({
      path,
      load: () => import('../screens/management/new-subscription.tsx'),
      guard: 'customer',
      layout: 'dashboard',
      title: 'subscriptions.new',
    }),
  ),
  // The last entry catches all unknown paths.
  ...['404', '*'].map(
    (path): ScreenEntry => ({
      path,
      load: () => import('../screens/not-found.tsx'),
      guard: 'public',
      layout: 'default',
      title: 'notFound.title',
    }),
  ),
];
