import type { Page } from '@playwright/test';

/**
 * Lists what does not fit: a page wider than its window (WCAG 1.4.10), text that its own box cuts off (1.4.4, 1.4.12), and
 * text on top of other text. Boxes that scroll (tables, codes) and text for screen readers alone are exempt.
 */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const root = document.documentElement;
    // Further down, the sticky bar covers text.
    scrollTo({ top: 0, behavior: 'instant' });
    const nameOf = element => element.tagName.toLowerCase() + '.' + [...element.classList].join('.');
    const textOf = element => element.textContent.trim().slice(0, 40);
    // Cached per element: a page has a thousand of them, and each result holds for all below it.
    const remembered = test => {
      const known = new Map([[null, false]]);
      const ask = element => {
        if (!known.has(element)) known.set(element, test(element) || ask(element.parentElement));
        return known.get(element);
      };
      return ask;
    };
    const scrolls = remembered(each =>
      each !== root && each !== document.body && /auto|scroll/.test(getComputedStyle(each).overflowX));
    // Floating elements lie on top of the page on purpose.
    const floats = remembered(each => getComputedStyle(each).position === 'fixed');
    const isClipped = remembered(each => getComputedStyle(each).clipPath !== 'none');
    const found = [];
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...document.body.querySelectorAll('*:not(svg *)')].filter(
        each => each.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(each) && !isClipped(each));
      const last = wide.at(-1);
      found.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide: '
        + (last ? nameOf(last) + ' "' + (textOf(last) || textOf(last.parentElement)) + '"' : '?'));
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.firstChild || element.closest('svg, .visually-hidden')) continue;
      const style = getComputedStyle(element);
      if (style.clipPath !== 'none' || element.clientWidth <= 1) continue;
      const cutX = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
      const cutY = /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
      if ((cutX || cutY) && element.innerText?.trim()) found.push('cut off: ' + nameOf(element) + ' "' + textOf(element) + '"');
    }
    const lines = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      const element = text.parentElement;
      if (!text.data.trim() || element.closest('svg, option') || isClipped(element) || scrolls(element)) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) if (box.width > 1) lines.push({ box, element });
    }
    // Lines of one text may touch, because glyphs of some scripts are taller than their line.
    const covers = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.6 * Math.min(a.height, b.height);
    lines.forEach((one, index) => {
      const other = lines.slice(index + 1).find(each =>
        each.element !== one.element && floats(each.element) === floats(one.element) && covers(one.box, each.box));
      if (other) found.push('on top of each other: "' + textOf(one.element) + '" and "' + textOf(other.element) + '"');
    });
    return found;
  })()`);
}
