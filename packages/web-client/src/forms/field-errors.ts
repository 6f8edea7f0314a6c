import type { FieldRule } from '@fixpoint/contract/fields.ts';
import { Refusal } from '../faults.ts';

/*
 * All forms use the library's default timing: validate on submit, then each wrong field on change.
 * Never on blur: a message that appears or goes would move the button under the pointer, and the
 * click would miss it.
 */

/** Turns a rule of the contract into a form's `validate`: true, or the key of the text to show. */
export const validateWith =
  (rule: FieldRule) =>
  (value: string): true | string =>
    rule(value) ?? true;

/** Text of a field's error, whose message is a text key. */
export const shownError = <Key extends string>(
  t: (key: Key) => string,
  error: { message?: string | undefined } | undefined,
): string | undefined => (error?.message ? t(error.message as Key) : undefined);

/** Shows the server's field errors beside their fields; false if no field of the form was named. */
export function applyRefusal<Name extends string>(
  error: unknown,
  names: readonly Name[],
  setError: (name: Name, error: { message: string }) => void,
): boolean {
  if (!(error instanceof Refusal)) return false;
  const named = names.filter(name => error.fields[name]);
  for (const name of named) setError(name, { message: error.fields[name]! });
  return named.length > 0;
}
