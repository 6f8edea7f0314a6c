import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import { useState } from 'react';

/** An emailed code under way, kept for a reload of the page. Never a password. */
export type CodeFlow = {
  flow: string;
  email: string;
  /** When another code may be requested, ms. */
  resendAt: number;
  validMinutes: number;
  /** One-time right to set the password, granted for the right code. */
  grant?: string;
};

type CodeSent = { flow: string; resendIn: number; expiresIn: number };

export const codeFlow = (email: string, sent: CodeSent, now = Date.now()): CodeFlow => ({
  flow: sent.flow,
  email,
  resendAt: now + sent.resendIn * 1000,
  validMinutes: Math.round(sent.expiresIn / 60),
});

/** The flow of one purpose (an address: of which user), stored in this tab. `undefined` ends it. */
export function useCodeFlow(
  purpose: 'signUp' | 'resetPassword' | 'changePassword' | `changeEmail.${string}`,
) {
  const key = `flow.${purpose}`;
  const [flow, setFlow] = useState(() => readJson<CodeFlow>(tabStore, key));
  const keep = (next: CodeFlow | undefined) => {
    if (next) tabStore.write(key, JSON.stringify(next));
    else tabStore.remove(key);
    setFlow(next);
  };
  return [flow, keep] as const;
}
