import { type ReactNode, useEffect, useRef } from 'react';

/** Takes the place of a form, far down of which a button was pressed: what it says must not be out of sight. */
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
