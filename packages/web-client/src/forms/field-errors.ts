import type { FieldRule } from '@fixpoint/contract/fields.ts';
import { Refusal } from '../faults.ts';

/*
 * All forms keep the library's own timing: checked when sent, then each wrong field again as it is put right. Never when
 * a field is left: the message would come or go under the pointer, and the press on the button below would miss it.
 */

/** A rule of the contract as a form's `validate`: true, or the key of the text to show. */
export const ruled =
  (rule: FieldRule) =>
  (value: string): true | string =>
    rule(value) ?? true;

/** The text of a field's error, whose message is a text key. */
export const shownError = <Key extends string>(
  t: (key: Key) => string,
  error: { message?: string | undefined } | undefined,
): string | undefined => (error?.message ? t(error.message as Key) : undefined);

/** Puts what the server refused beside its fields; true when there was such a field. */
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
