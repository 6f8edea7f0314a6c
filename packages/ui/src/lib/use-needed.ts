import { type RefObject, useEffect, useState } from 'react';

/** User activity. A moving focus counts, also when a link causes it. */
const userEvents = ['pointerdown', 'keydown', 'focusin'] as const;

/**
 * Whether an element has become visible or the user has done anything on the page. Delays heavy
 * work on phones until it may be needed.
 */
export function useNeeded(element: RefObject<Element | null>): boolean {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (needed || !element.current) return;
    const trigger = () => setNeeded(true);
    const observer = new IntersectionObserver(
      entries => entries.some(each => each.isIntersecting) && trigger(),
    );
    observer.observe(element.current);
    for (const event of userEvents) addEventListener(event, trigger, { once: true });
    return () => {
      observer.disconnect();
      for (const event of userEvents) removeEventListener(event, trigger);
    };
  }, [needed, element]);
  return needed;
}
