import { ErrorSummary } from '@fixpoint/ui/error-summary.tsx';
import { Form, FormActions } from '@fixpoint/ui/form.tsx';
import type { ReactNode } from 'react';
import { Problem } from '../problem.tsx';
import { useText, webClient } from '../setup.ts';
import type { FormState } from './form-state.ts';

/** What is wrong with a form, for one that is laid out otherwise than by `FormFrame`. */
export function FormErrors({ state }: { state: FormState }) {
  const t = useText();
  return (
    <ErrorSummary
      title={t(webClient().formErrorsTitle)}
      errors={state.attempt > 0 ? state.errors : []}
      attempt={state.attempt}
    />
  );
}

/** A form with what is wrong with it on top, its fields, and its buttons. */
export function FormFrame(props: {
  state: FormState;
  /** Headline over what the server refused. */
  failed?: string;
  /** What to do about the refusal. */
  remedy?: (error: unknown) => ReactNode;
  /** A form with one field shows its error there alone. */
  single?: boolean;
  /** Somebody begins to fill it in; also told again later. */
  onBegin?: () => void;
  /** Absent where the one field has its button beside it. */
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { state, failed, remedy, single, onBegin, actions, children } = props;
  return (
    <Form onSubmit={state.submit} onFocus={onBegin} busy={state.busy}>
      {!single && <FormErrors state={state} />}
      {state.problem !== undefined && (
        <Problem error={state.problem} title={failed} action={remedy?.(state.problem)} />
      )}
      {children}
      {actions && <FormActions>{actions}</FormActions>}
    </Form>
  );
}
