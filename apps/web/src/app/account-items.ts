import type { TextKey } from '../shop/texts.ts';

/** Where one lands; it stands before the numbered items. */
export const overview = { path: '/management/dashboard', title: 'nav.overview' } as const;

/** The numbered items of the account area, in the side menu, the customer's menu and the drawer. */
export const accountItems: { path: string; title: TextKey }[] = [
  { path: '/management/my-account', title: 'nav.account' },
  { path: '/management/subscription', title: 'nav.subscription' },
  { path: '/management/billing', title: 'nav.billing' },
];
