import { Button } from '@fixpoint/ui/button.tsx';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type RefObject, useRef } from 'react';
import { OwnerOfPassword } from '../../forms/new-password.tsx';
import { api, session } from '../../server/api.ts';
import { useCards } from '../../shop/billing.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { withLoginNotice } from '../../shop/login-notice.ts';
import { useText } from '../../shop/texts.ts';

export type Ending = 'disable' | 'delete';
type Props = { ending: Ending; email: string; open: boolean; onClose: () => void };

/**
 * Last confirmation before an account is closed or deleted: names the consequences and asks for the
 * password. It cannot be undone.
 */
export function EndDialog(props: Props) {
  const t = useText();
  const { ending, open, onClose } = props;
  const sending = useRef(false);
  return (
    <Dialog
      open={open}
      // A request under way cannot be recalled.
      onClose={() => sending.current || onClose()}
      title={t(`account.end.${ending}.title`)}
      closeLabel={t('app.close')}
    >
      <EndForm key={ending} {...props} sending={sending} />
    </Dialog>
  );
}

function EndForm({ ending, email, onClose, sending }: Props & { sending: RefObject<boolean> }) {
  const t = useText();
  const href = useHref();
  const { money } = useFormat();
  const credit = useCards();
  const state = useFormState({
    defaultValues: { endPassword: '' },
    fields: ['endPassword'],
    refusals: { 8006: ['endPassword', 'errorCode.8006'] },
    send: async ({ endPassword }) => {
      sending.current = true;
      try {
        await withLoginNotice({ text: `login.ended.${ending}` }, () =>
          api.auth.deleteAccount({ body: { action: ending, currentPassword: endPassword } }),
        );
      } finally {
        sending.current = false;
      }
      session.logOut();
    },
  });
  return (
    <FormFrame
      state={state}
      single
      remedy={error =>
        error instanceof Refusal &&
        error.code === '8007' && <a href={href('/management/subscription')}>{t('account.end.running')}</a>
      }
      actions={
        <>
          {/* What becomes of credit is read before the last press. */}
          <Button type="submit" variant="danger" busy={state.busy || credit.isPending}>
            {t(`account.end.${ending}`)}
          </Button>
          <Button disabled={state.busy} onClick={onClose}>
            {t('account.end.keep')}
          </Button>
        </>
      }
    >
      <Stack gap={3}>
        <p>{t(`account.end.${ending}.text`)}</p>
        {ending === 'delete' && <p>{t('account.end.keeps')}</p>}
        {credit.data?.credit.map(({ currency, amount }) => (
          <p key={currency}>{t('account.end.credit', { amount: money(amount, currency) })}</p>
        ))}
        <p>
          <strong>{t('account.end.undo')}</strong>
        </p>
      </Stack>
      <OwnerOfPassword email={email} />
      <PasswordField
        label={t('account.password.current')}
        autoComplete="current-password"
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
        {...state.field('endPassword', value => value !== '' || 'form.password.required')}
      />
    </FormFrame>
  );
}
