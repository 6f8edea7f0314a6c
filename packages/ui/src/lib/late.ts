import { useEffect, useState } from 'react';

/** Whether `is` has been true for `ms`; at once if it was true from the start. */
export function useLate(is: boolean, ms: number): boolean {
  const [late, setLate] = useState(is);
  useEffect(() => {
    if (!is) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return is && late;
}
