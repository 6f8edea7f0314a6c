import { type ScreenEntry, screens } from './screens.ts';

/** By which a visitor shows that he means a link. */
export const signs = ['pointerover', 'focusin', 'touchstart'];

const partsOf = (path: string) => path.split('/').filter(Boolean);
/** Those without a parameter first: `subscription/new` is no subscription. */
const patterns = screens
  .filter(({ path }) => path !== '*')
  .map(screen => ({ screen, parts: partsOf(screen.path) }))
  .toSorted((one, other) => Number(one.screen.path.includes(':')) - Number(other.screen.path.includes(':')));

/**
 * The screen that a link within the shop (`#/en/order?plan=…`) or its path leads to. By hand: before the first page the
 * router's own search of all paths takes a phone 50 ms.
 */
export function screenOf(href: string): ScreenEntry | undefined {
  const [path = ''] = href.replace(/^#/, '').split(/[?#]/);
  const [, ...given] = partsOf(path.toLowerCase());
  const fits = (parts: string[]) =>
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index]);
  return patterns.find(({ parts }) => fits(parts))?.screen;
}
