import type { TextKey } from '../lib/texts.ts';
import { screens } from './screens.ts';

const items: { path: string; title: TextKey }[] = [
  { path: '/management/my-account', title: 'nav.account' },
  { path: '/management/subscription', title: 'nav.subscription' },
  { path: '/management/billing', title: 'nav.billing' },
];

/** The items of the account area (spec section 2) whose screens exist. */
export const accountItems = () =>
  items.filter(item => screens.some(screen => `/${screen.path}` === item.path));
