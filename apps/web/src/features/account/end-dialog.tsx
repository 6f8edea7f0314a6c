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
import type { AfterEnd } from './after-end.ts';
import type { Profile } from './profile.ts';

export type Ending = 'disable' | 'delete';
type Props = {
  ending: Ending;
  profile: Profile;
  after: AfterEnd | undefined;
  open: boolean;
  onClose: () => void;
};

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

/** Leads to the people of the account, where it is handed over. */
export function TeamLink({ onClick }: { onClick?: () => void }) {
  const t = useText();
  const href = useHref();
  return (
    <a href={href('/management/my-account#team')} onClick={onClick}>
      {t('account.end.team')}
    </a>
  );
}

function EndForm({ ending, profile, after, onClose, sending }: Props & { sending: RefObject<boolean> }) {
  const t = useText();
  const href = useHref();
  const { money } = useFormat();
  const goesOn = after === 'goesOn';
  // The credit of an account that goes on stays.
  const credit = useCards(!goesOn);
  const here = profile.customers.find(({ id }) => id === profile.customerId);
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
      remedy={error => {
        const code = error instanceof Refusal && error.code;
        // Another account of theirs keeps them then.
        if (code === '8007' && !goesOn)
          return <a href={href('/management/subscription')}>{t('account.end.running')}</a>;
        if (code !== '8807') return undefined;
        return (
          <Stack gap={2}>
            <span>{t('account.end.others')}</span>
            <TeamLink onClick={onClose} />
          </Stack>
        );
      }}
      actions={
        <>
          {/* What becomes of credit is read before the last press. */}
          <Button type="submit" variant="danger" busy={state.busy || credit.isLoading}>
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
        {goesOn && here && <p>{t('account.end.goesOn', { name: here.name })}</p>}
        {!goesOn &&
          credit.data?.credit.map(({ currency, amount }) => (
            <p key={currency}>{t('account.end.credit', { amount: money(amount, currency) })}</p>
          ))}
        <p>
          <strong>{t('account.end.undo')}</strong>
        </p>
      </Stack>
      <OwnerOfPassword email={profile.email} />
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
