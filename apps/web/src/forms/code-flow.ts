import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';
import { useState } from 'react';

/** A mailed code under way, so that a page loaded again goes on with it. Never a password. */
export type CodeFlow = {
  flow: string;
  email: string;
  /** When another code may be asked for, ms. */
  resendAt: number;
  validMinutes: number;
  /** One-time right to set the password: the code was right. */
  grant?: string;
};

type CodeSent = { flow: string; resendIn: number; expiresIn: number };

export const codeFlow = (email: string, sent: CodeSent, now = Date.now()): CodeFlow => ({
  flow: sent.flow,
  email,
  resendAt: now + sent.resendIn * 1000,
  validMinutes: Math.round(sent.expiresIn / 60),
});

/** The flow of one purpose, kept in this tab. `undefined` ends it. */
export function useCodeFlow(purpose: 'signUp' | 'resetPassword' | 'changePassword') {
  const key = `flow.${purpose}`;
  const [flow, setFlow] = useState(() => readJson<CodeFlow>(tabStore, key));
  const keep = (next: CodeFlow | undefined) => {
    if (next) tabStore.write(key, JSON.stringify(next));
    else tabStore.remove(key);
    setFlow(next);
  };
  return [flow, keep] as const;
}
