import { type ScreenEntry, screens } from './screens.ts';

/** Events that announce a click on a link. */
export const intentEvents = ['pointerover', 'focusin', 'touchstart'];

const partsOf = (path: string) => path.split('/').filter(Boolean);
/** Paths without a parameter first: `new` is not the id of a subscription. */
const patterns = screens
  .filter(({ path }) => path !== '*')
  .map(screen => ({ screen, parts: partsOf(screen.path) }))
  .toSorted((one, other) => Number(one.screen.path.includes(':')) - Number(other.screen.path.includes(':')));

/**
 * The screen of a link within the shop (`#/en/order?plan=…`) or of its path. Not by the router,
 * whose search of all paths takes a phone 50 ms before the first page.
 */
export function screenOf(href: string): ScreenEntry | undefined {
  const [path = ''] = href.replace(/^#/, '').split(/[?#]/);
  const [, ...given] = partsOf(path.toLowerCase());
  const fits = (parts: string[]) =>
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index]);
  return patterns.find(({ parts }) => fits(parts))?.screen;
}
