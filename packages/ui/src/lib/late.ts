import { useEffect, useState } from 'react';

/** Whether something has been so for a while, ms; at once for what is so from the beginning. */
export function useLate(is: boolean, ms: number): boolean {
  const [late, setLate] = useState(is);
  useEffect(() => {
    if (!is) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return is && late;
}
