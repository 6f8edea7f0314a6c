import { useRef } from 'react';
import { solveHumanCheck } from '../server/api.ts';

/**
 * Solves the proof of work of a form that always needs one while the form is filled in, so that
 * submitting does not wait. If it failed or has expired, the call itself solves another.
 */
export function useProofAhead() {
  const proof = useRef<Promise<string | undefined>>(undefined);
  const begin = () => {
    proof.current ??= solveHumanCheck().catch(() => undefined);
    return proof.current;
  };
  return {
    /** Call it when the form gets the focus; later calls do nothing. */
    begin: () => void begin(),
    /** Each proof can be used once; the next attempt solves another. */
    async take(): Promise<string | undefined> {
      const solved = await begin();
      proof.current = undefined;
      return solved;
    },
  };
}
