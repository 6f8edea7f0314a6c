import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

export type OpenedHere = {
  /** False until it is opened for the first time; its code need not load before. */
  used: boolean;
  open: boolean;
  show: () => void;
  close: () => void;
};

/**
 * State of a drawer or dialog, bound to the address at which it was opened: going back closes it,
 * and coming again does not open it. Compares the window's address, because the next screen may
 * still be loading.
 */
export function useOpenedHere(): OpenedHere {
  const { pathname } = useLocation();
  const [at, setAt] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of screen is the trigger
  useEffect(() => setAt(before => before && (before === window.location.hash ? before : '')), [pathname]);
  return {
    used: at !== undefined,
    open: !!at,
    show: () => setAt(window.location.hash),
    close: () => setAt(''),
  };
}
