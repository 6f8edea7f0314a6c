import { type RefObject, useEffect, useState } from 'react';

/** What a visitor does; a focus that moves counts, also when a link leads it. */
const deeds = ['pointerdown', 'keydown', 'focusin'] as const;

/**
 * True once an element comes into sight, or the visitor does anything on the page: what keeps a phone busy can wait
 * until then, and is there before it is reached.
 */
export function useSought(element: RefObject<Element | null>): boolean {
  const [sought, setSought] = useState(false);
  useEffect(() => {
    if (sought || !element.current) return;
    const seek = () => setSought(true);
    const sight = new IntersectionObserver(entries => entries.some(each => each.isIntersecting) && seek());
    sight.observe(element.current);
    for (const deed of deeds) addEventListener(deed, seek, { once: true });
    return () => {
      sight.disconnect();
      for (const deed of deeds) removeEventListener(deed, seek);
    };
  }, [sought, element]);
  return sought;
}
