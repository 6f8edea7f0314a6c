import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormRegisterReturn,
  useForm,
} from 'react-hook-form';
import { Cancelled, Refusal } from '../faults.ts';
import { useText, webClient } from '../setup.ts';
import { clearDraft, readDraft, writeDraft } from './draft.ts';
import { applyRefusal, shownError } from './field-errors.ts';

type Options<V extends FieldValues> = {
  defaultValues: DefaultValues<V>;
  /**
   * In the order on the screen, as the summary lists errors. A function stands for a part that is
   * no field of the form (a choice, an embedded document) and returns what is missing there.
   */
  fields: readonly (FieldPath<V> | (() => readonly FormError[]))[];
  send: (values: V) => Promise<unknown>;
  /** Refusals about one field: code → field and text key. */
  refusals?: Record<string, readonly [FieldPath<V>, string]>;
  /** Draft name, and the fields whose input survives the end of the session. Never a password. */
  draft?: { name: string; fields: readonly FieldPath<V>[] };
};

/** Props of a field: name, rule and error. */
export type FieldOf<V> = <N extends keyof V & string>(
  name: N,
  validate: (value: V[N], values: V) => true | string,
) => UseFormRegisterReturn & { error: string | undefined };

/** State of a form: field errors, whether it is being sent, the server's refusal. */
export function useFormState<V extends FieldValues>(options: Options<V>) {
  const t = useText();
  const { defaultValues, fields, send, refusals = {}, draft } = options;
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const [restored] = useState(() => (draft ? readDraft(draft.name) : {}));
  const form = useForm<V>({
    // The error summary takes the focus; a form with one field has none and focuses the field.
    shouldFocusError: fields.length === 1,
    defaultValues: { ...defaultValues, ...restored },
  });
  // Not the form's own `isSubmitting`, which a `reset` by `send` ends early.
  const [busy, setBusy] = useState(false);
  /** Also before React has rendered the busy button: a second press sends nothing. */
  const submitting = useRef(false);
  const names = fields.filter(field => typeof field === 'string');
  /** Errors of the parts that are no fields, as of the last submit. */
  const [missed, setMissed] = useState<readonly string[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft's name and fields are constants of the form
  useEffect(() => {
    if (!draft) return;
    // In an effect: React may discard a render.
    clearDraft(draft.name);
    const { session } = webClient();
    return session.token.subscribe(() => {
      if (session.token.get() === '' && !session.wasLoggedOut())
        writeDraft(draft.name, form.getValues(), draft.fields);
    });
  }, []);

  const setError = (name: FieldPath<V>, error: { message: string }) => {
    form.setError(name, error);
    // Selects the input, so that the next key replaces it.
    if (fields.length === 1) form.setFocus(name, { shouldSelect: true });
  };
  const sendUnless = (missing: readonly FormError[]) => async (values: V) => {
    if (missing.length > 0) return;
    try {
      await send(values);
    } catch (error) {
      if (error instanceof Cancelled) return;
      // The server's message about a field is more specific than its error code.
      if (applyRefusal(error, names, setError)) return;
      const ofField = error instanceof Refusal ? refusals[error.code] : undefined;
      if (ofField) setError(ofField[0], { message: ofField[1] });
      else setProblem(error);
    }
  };

  const path = (name: string) => name as FieldPath<V>;
  const errorOf = (name: FieldPath<V>) => shownError(t, form.getFieldState(name, form.formState).error);
  return {
    form,
    attempt,
    problem,
    busy,
    /** All errors, field by field; empty before the first submit. */
    errors: fields.flatMap(field => {
      if (typeof field === 'function') return field().filter(({ id }) => missed.includes(id));
      const text = errorOf(field);
      return text ? [{ id: field as string, text }] : [];
    }),
    errorOf,
    async submit() {
      if (submitting.current) return;
      submitting.current = true;
      setBusy(true);
      setProblem(undefined);
      const missing = fields.flatMap(field => (typeof field === 'function' ? field() : []));
      setMissed(missing.map(({ id }) => id));
      try {
        await form.handleSubmit(sendUnless(missing))();
      } finally {
        submitting.current = false;
        setBusy(false);
      }
      setAttempt(count => count + 1);
    },
    field: ((name, validate) => ({
      ...form.register(path(name), { validate: validate as never }),
      error: errorOf(path(name)),
    })) as FieldOf<V>,
  };
}

export type FormState = Pick<
  ReturnType<typeof useFormState>,
  'attempt' | 'problem' | 'busy' | 'errors' | 'submit'
>;
