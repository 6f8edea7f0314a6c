import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Ways in which a user can confirm who they are (S16). */
export type StepUpMethod = 'password' | 'totp' | 'passkey';
export type StepUpQuestion = {
  methods: StepUpMethod[];
  answer(confirmed: boolean): void;
};

/** The open question, shown by the dialog of the account area. */
export const stepUpQuestion = createStore<StepUpQuestion | undefined>(undefined);

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
