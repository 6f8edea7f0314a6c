import type { Page } from '@playwright/test';

/**
 * What does not fit: the page wider than the window (WCAG 1.4.10), and text that its own box cuts off (1.4.4, 1.4.12).
 * Boxes that scroll by themselves (a table, a code) and text for screen readers alone are meant to be so.
 */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const root = document.documentElement;
    const nameOf = element => element.tagName.toLowerCase() + '.' + [...element.classList].join('.');
    const textOf = element => element.textContent.trim().slice(0, 40);
    const scrolls = element => {
      for (let each = element; each; each = each.parentElement)
        if (/auto|scroll/.test(getComputedStyle(each).overflowX) && each !== root && each !== document.body) return true;
      return false;
    };
    const found = [];
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...document.body.querySelectorAll('*:not(svg *)')].filter(
        each => each.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(each));
      const last = wide.at(-1);
      found.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide: '
        + (last ? nameOf(last) + ' "' + textOf(last) + '"' : '?'));
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.firstChild || element.closest('svg, .visually-hidden')) continue;
      const style = getComputedStyle(element);
      if (style.clipPath !== 'none' || element.clientWidth <= 1) continue;
      const cutX = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
      const cutY = /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
      if ((cutX || cutY) && element.innerText?.trim()) found.push('cut off: ' + nameOf(element) + ' "' + textOf(element) + '"');
    }
    return found;
  })()`);
}
