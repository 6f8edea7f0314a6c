import { emailRule } from '@fixpoint/contract/fields.ts';
import { type ReactNode, useState } from 'react';
import { ruled } from '../../forms/form.ts';
import type { FieldOf } from '../../forms/form-state.ts';
import { useText } from '../../shop/texts.ts';
import { Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { meantEmail } from './email-typo.ts';
import { keepOrderDraft } from './order-draft.ts';

/** Whom the order is for: a visitor's address, asked about when it looks mistyped (FU6), or the customer's own. */
export function EmailStep(props: {
  field: FieldOf<{ email: string }>;
  /** Takes the address that was meant. */
  onMeant: (email: string) => void;
  /** For who has an account already. */
  logIn: ReactNode;
}) {
  const t = useText();
  const [meant, setMeant] = useState<string>();
  const { onChange, onBlur, ...field } = props.field('email', ruled(emailRule));
  // In place of the hint: the page below must not move away from under a finger.
  const hint = meant ? (
    <span role="status">
      <button
        type="button"
        className="link"
        onClick={() => {
          props.onMeant(meant);
          keepOrderDraft({ email: meant });
          setMeant(undefined);
        }}
      >
        {t('order.email.meant', { email: meant })}
      </button>
    </span>
  ) : (
    t('order.email.hint')
  );
  return (
    <Stack gap={3}>
      <TextField
        type="email"
        label={t('order.email.label')}
        hint={hint}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        onChange={event => {
          keepOrderDraft({ email: event.target.value });
          setMeant(undefined);
          return onChange(event);
        }}
        onBlur={event => {
          setMeant(meantEmail(event.target.value));
          return onBlur(event);
        }}
        {...field}
      />
      {props.logIn}
    </Stack>
  );
}
