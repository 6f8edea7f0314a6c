import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormRegisterReturn,
  useForm,
} from 'react-hook-form';
import { Cancelled, Refusal } from '../faults.ts';
import { useText, webClient } from '../setup.ts';
import { dropDraft, readDraft, writeDraft } from './draft.ts';
import { applyRefusal, shownError } from './field-errors.ts';

type Options<V extends FieldValues> = {
  defaultValues: DefaultValues<V>;
  /**
   * In the order on the screen: the summary lists errors so, and refusals find their fields. A function stands for a part
   * that is no field of the form, a choice or a foreign document: it says what is missing there.
   */
  fields: readonly (FieldPath<V> | (() => readonly FormError[]))[];
  send: (values: V) => Promise<unknown>;
  /** Refusals that are about one field: code → field and text key. */
  refusals?: Record<string, readonly [FieldPath<V>, string]>;
  /** Name under which `kept` outlive a session that ends while they are typed. Never a password. */
  draft?: { name: string; kept: readonly FieldPath<V>[] };
};

/** Props of a field: its name, its value's rule, and what is wrong with it. */
export type FieldOf<V> = <N extends keyof V & string>(
  name: N,
  validate: (value: V[N], values: V) => true | string,
) => UseFormRegisterReturn & { error: string | undefined };

/** All that a form of ours needs beside its fields: what is wrong, whether it is being sent, what was refused. */
export function useFormState<V extends FieldValues>(options: Options<V>) {
  const t = useText();
  const { defaultValues, fields, send, refusals = {}, draft } = options;
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const [restored] = useState(() => (draft ? readDraft(draft.name) : {}));
  const form = useForm<V>({
    // A summary takes the focus; where there is one field, the field is the summary.
    shouldFocusError: fields.length === 1,
    defaultValues: { ...defaultValues, ...restored },
  });
  const { isSubmitting } = form.formState;
  const names = fields.filter(field => typeof field === 'string');
  /** What was missing in the other parts when the form was last sent. */
  const [missed, setMissed] = useState<readonly string[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft's name and fields are constants of the form
  useEffect(() => {
    if (!draft) return;
    // Here and not while drawing: a drawing may be thrown away.
    dropDraft(draft.name);
    const { session } = webClient();
    return session.token.subscribe(() => {
      if (session.token.get() === '' && !session.wasLeft())
        writeDraft(draft.name, form.getValues(), draft.kept);
    });
  }, []);

  const setError = (name: FieldPath<V>, error: { message: string }) => {
    form.setError(name, error);
    // What was typed stays, but the next key replaces it.
    if (fields.length === 1) form.setFocus(name, { shouldSelect: true });
  };
  const sendUnless = (missing: readonly FormError[]) => async (values: V) => {
    if (missing.length > 0) return;
    try {
      await send(values);
    } catch (error) {
      if (error instanceof Cancelled) return;
      // The server's own word about a field tells more than what its code means in general.
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
    busy: isSubmitting,
    /** Everything that is wrong, field by field; empty until the form was sent once. */
    errors: fields.flatMap(field => {
      if (typeof field === 'function') return field().filter(({ id }) => missed.includes(id));
      const text = errorOf(field);
      return text ? [{ id: field as string, text }] : [];
    }),
    errorOf,
    async submit() {
      if (isSubmitting) return;
      setProblem(undefined);
      const missing = fields.flatMap(field => (typeof field === 'function' ? field() : []));
      setMissed(missing.map(({ id }) => id));
      await form.handleSubmit(sendUnless(missing))();
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
