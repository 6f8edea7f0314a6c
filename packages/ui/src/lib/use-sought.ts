import { type RefObject, useEffect, useState } from 'react';

/** User activity. A moving focus counts, also when a link causes it. */
const deeds = ['pointerdown', 'keydown', 'focusin'] as const;

/**
 * Whether an element has become visible or the user has done anything on the page. Delays heavy
 * work on phones until it may be needed.
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
