import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Ways in which a user can confirm who they are (S16). */
export type StepUpMethod = 'password' | 'totp' | 'passkey';
export type StepUpQuestion = {
  methods: StepUpMethod[];
  answer(confirmed: boolean): void;
};

/** The open question, shown by the dialog of the account area. */
export const stepUpQuestion = createStore<StepUpQuestion | undefined>(undefined);

/** What the call is for that may ask, in words; undefined where nothing says it. */
export const stepUpPurpose = createStore<string | undefined>(undefined);

/** Runs `work`, whose step-up names its purpose. */
export async function withPurpose<T>(purpose: string, work: () => Promise<T>): Promise<T> {
  stepUpPurpose.set(purpose);
  try {
    return await work();
  } finally {
    stepUpPurpose.set(undefined);
  }
}

let pending: Promise<boolean> | undefined;

/** Asks the user to confirm who they are. Concurrent calls share one question. */
export function askStepUp(methods: string[]): Promise<boolean> {
  pending ??= new Promise<boolean>(resolve => {
    stepUpQuestion.set({ methods: methods as StepUpMethod[], answer: resolve });
  }).finally(() => {
    pending = undefined;
    stepUpQuestion.set(undefined);
  });
  return pending;
}
