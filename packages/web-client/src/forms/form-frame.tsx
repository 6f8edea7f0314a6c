import { ErrorSummary } from '@fixpoint/ui/error-summary.tsx';
import { Form, FormActions } from '@fixpoint/ui/form.tsx';
import type { ReactNode } from 'react';
import { Problem } from '../problem.tsx';
import { useText, webClient } from '../setup.ts';
import type { FormState } from './form-state.ts';

/** Error summary, for a form with a layout of its own instead of `FormFrame`. */
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

/** Form with its errors on top, then fields, then buttons. */
export function FormFrame(props: {
  state: FormState;
  /** Headline over the server's refusal. */
  failed?: string;
  /** Action shown beside the refusal. */
  remedy?: (error: unknown) => ReactNode;
  /** A form with one field shows its error at the field alone. */
  single?: boolean;
  /** Called when a field gets the focus; possibly more than once. */
  onBegin?: () => void;
  /** Absent if the only field has its button beside it. */
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
