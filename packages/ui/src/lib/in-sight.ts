import { useEffect, useRef } from 'react';

/**
 * Whether the component is still on the page, for the end of a call that it made: what a page that
 * was left had asked for concerns nobody any more.
 */
export function useInSight(): () => boolean {
  const inSight = useRef(true);
  useEffect(() => {
    inSight.current = true;
    return () => {
      inSight.current = false;
    };
  }, []);
  return () => inSight.current;
}
