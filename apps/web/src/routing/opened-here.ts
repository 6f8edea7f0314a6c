import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

export type OpenedHere = {
  /** False until it is opened for the first time: nothing of it needs to be brought before. */
  used: boolean;
  open: boolean;
  show: () => void;
  close: () => void;
};

/**
 * For a drawer or dialog, which belongs to the address that it was opened at: going back closes it, and coming again
 * does not open it. The address of the window, not the one on the screen: the next screen may be on its way.
 */
export function useOpenedHere(): OpenedHere {
  const { pathname } = useLocation();
  const [at, setAt] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is the signal
  useEffect(() => setAt(before => before && (before === window.location.hash ? before : '')), [pathname]);
  return {
    used: at !== undefined,
    open: !!at,
    show: () => setAt(window.location.hash),
    close: () => setAt(''),
  };
}
