import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { QrCode } from '@fixpoint/ui/qr-code.tsx';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { CodeForm } from '@fixpoint/web-client/forms/code-form.tsx';
import { api } from '../../server/api.ts';
import { useText } from '../../shop/texts.ts';

export type TotpSecret = { secret: string; uri: string };

/** The secret as a QR code and as text. The app's first code turns it on. */
export function TotpSetUp(props: {
  secret: TotpSecret;
  onDone: (recoveryCodes: string[]) => void;
  /**
   * The secret can no longer be confirmed: it was confirmed by an attempt whose answer was lost, or
   * in another tab.
   */
  onSpent: () => void;
  onCancel: () => void;
}) {
  const t = useText();
  const { secret, onDone, onSpent, onCancel } = props;
  return (
    <Stack gap={6}>
      <p>{t('account.totp.scan')}</p>
      <QrCode value={secret.uri} label={t('account.totp.qr')} size={208} />
      <Copyable
        // Groups of four are easier to type. The copied text works with and without spaces.
        value={secret.secret.replace(/(.{4})(?=.)/g, '$1 ')}
        label={t('account.totp.secret')}
        copyLabel={t('app.copy')}
        copiedLabel={t('app.copied')}
      />
      <CodeForm
        name="appCode"
        label={t('account.totp.code')}
        submitLabel={t('account.totp.turnOn')}
        onCode={async code => {
          try {
            onDone((await api.account.confirmTotp({ body: { code } })).recoveryCodes);
          } catch (error) {
            if (codeOf(error) === '7007') onSpent();
            throw error;
          }
        }}
        backLabel={t('app.cancel')}
        onBack={onCancel}
      />
    </Stack>
  );
}
