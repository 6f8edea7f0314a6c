import { useEffect, useState } from 'react';

/** Whether `is` has been true for `ms`; at once if it was true from the start. */
export function useDelayed(is: boolean, ms: number): boolean {
  const [passed, setPassed] = useState(is);
  useEffect(() => {
    if (!is) return setPassed(false);
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return is && passed;
}
