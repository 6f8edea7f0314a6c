import { useEffect, useState } from 'react';

/**
 * Whole seconds until an instant, counting down.
 * @param instant ms
 */
export function useSecondsUntil(instant: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((instant - now) / 1000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return left;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `14:59`; from one hour on `23:14:59`. */
export const asClock = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  const upTo = minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`;
  return `${upTo}:${twoDigits(seconds % 60)}`;
};
