import { useRef } from 'react';
import { proveHuman } from '../server/api.ts';

/**
 * The proof of work of a form that always wants one, solved while the form is filled in: sending it then waits for
 * nothing. One that failed or has run out by then is made by the call itself.
 */
export function useProofAhead() {
  const proof = useRef<Promise<string | undefined>>(undefined);
  const begin = () => {
    proof.current ??= proveHuman().catch(() => undefined);
    return proof.current;
  };
  return {
    /** To be called when somebody begins to fill in; later calls do nothing. */
    begin: () => void begin(),
    /** Each proof serves once: the next try has one of its own. */
    async take(): Promise<string | undefined> {
      const solved = await begin();
      proof.current = undefined;
      return solved;
    },
  };
}
