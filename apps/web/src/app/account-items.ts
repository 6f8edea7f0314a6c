import { useProfile } from '../server/profile.ts';
import type { TextKey } from '../shop/texts.ts';

/** First screen of the account area, listed before the numbered items. */
export const overview = { path: '/management/dashboard', title: 'nav.overview' } as const;

const items: { path: string; title: TextKey }[] = [
  { path: '/management/my-account', title: 'nav.account' },
  { path: '/management/subscription', title: 'nav.subscription' },
  { path: '/management/billing', title: 'nav.billing' },
];

/** Numbered items of the account area, for side menu, account menu and drawer. A member has no billing. */
export const useAccountItems = () => (useProfile().data?.role === 'member' ? items.slice(0, 2) : items);
