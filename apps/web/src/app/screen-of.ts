import { matchPath } from 'react-router';
import { type ScreenEntry, screens } from './screens.ts';

/** By which a visitor shows that he means a link. */
export const signs = ['pointerover', 'focusin', 'touchstart'];

/** The screen that a link within the shop (`#/en/order?plan=…`) leads to. */
export function screenOf(href: string): ScreenEntry | undefined {
  const path = href.slice(1).split(/[?#]/)[0] ?? '';
  return screens
    .filter(screen => screen.path !== '*' && matchPath(`/:language/${screen.path}`, path))
    .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))[0];
}
