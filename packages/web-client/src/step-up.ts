import { createStore } from '@fixpoint/ui/lib/store.ts';

/** How a person can confirm who they are (S16). */
export type StepUpMethod = 'password' | 'totp' | 'passkey';
export type StepUpQuestion = {
  methods: StepUpMethod[];
  answer(confirmed: boolean): void;
};

/** What is asked right now; the dialog of the account area shows it. */
export const stepUpQuestion = createStore<StepUpQuestion | undefined>(undefined);

let asked: Promise<boolean> | undefined;

/** Asks the person to confirm who they are; calls that want it at the same time share one question. */
export function askStepUp(methods: string[]): Promise<boolean> {
  asked ??= new Promise<boolean>(resolve => {
    stepUpQuestion.set({ methods: methods as StepUpMethod[], answer: resolve });
  }).finally(() => {
    asked = undefined;
    stepUpQuestion.set(undefined);
  });
  return asked;
}
