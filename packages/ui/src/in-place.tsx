import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Replaces a form whose button may be far down the page: scrolls to the top and takes the focus.
 */
export function InPlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <div ref={place} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </div>
  );
}
