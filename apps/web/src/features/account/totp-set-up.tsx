import { codeRule } from '@fixpoint/contract/fields.ts';
import { Controller } from 'react-hook-form';
import { api } from '../../lib/api.ts';
import { ruled } from '../../lib/form.ts';
import { FormFrame } from '../../lib/form-frame.tsx';
import { useFormState } from '../../lib/form-state.ts';
import { useText } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Stack } from '../../ui/layout.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

export type TotpSecret = { secret: string; uri: string };

/** The secret as a picture and in letters; the app's first code turns it on. */
export function TotpSetUp(props: {
  secret: TotpSecret;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}) {
  const t = useText();
  const { secret, onDone, onCancel } = props;
  const { form, ...state } = useFormState({
    defaultValues: { appCode: '' },
    fields: ['appCode'],
    send: async ({ appCode }) =>
      onDone((await api.account.confirmTotp({ body: { code: appCode } })).recoveryCodes),
    refusals: { 7006: ['appCode', 'form.code.wrong'] },
  });
  return (
    <Stack gap={6}>
      <p>{t('account.totp.scan')}</p>
      <QrCode value={secret.uri} label={t('account.totp.qr')} size={208} />
      <Copyable
        // In groups it can be typed without losing the place; the copied text works with and without them.
        value={secret.secret.replace(/(.{4})(?=.)/g, '$1 ')}
        label={t('account.totp.secret')}
        copyLabel={t('app.copy')}
        copiedLabel={t('app.copied')}
      />
      <FormFrame
        state={state}
        single
        actions={
          <>
            <Button type="submit" variant="primary" busy={state.busy}>
              {t('account.totp.turnOn')}
            </Button>
            <Button variant="quiet" onClick={onCancel}>
              {t('app.cancel')}
            </Button>
          </>
        }
      >
        <Controller
          name="appCode"
          control={form.control}
          rules={{ validate: ruled(codeRule) }}
          render={({ field }) => (
            <CodeField
              {...field}
              autoFocus
              label={t('account.totp.code')}
              error={state.errorOf('appCode')}
              onComplete={() => void state.submit()}
            />
          )}
        />
      </FormFrame>
    </Stack>
  );
}
