import { CodeForm } from '../../forms/code-form.tsx';
import { api } from '../../server/api.ts';
import { QrCode } from '../../shop/qr-code.tsx';
import { useText } from '../../shop/texts.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Stack } from '../../ui/layout.tsx';

export type TotpSecret = { secret: string; uri: string };

/** The secret as a picture and in letters; the app's first code turns it on. */
export function TotpSetUp(props: {
  secret: TotpSecret;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}) {
  const t = useText();
  const { secret, onDone, onCancel } = props;
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
      <CodeForm
        name="appCode"
        label={t('account.totp.code')}
        submitLabel={t('account.totp.turnOn')}
        onCode={async code => onDone((await api.account.confirmTotp({ body: { code } })).recoveryCodes)}
        backLabel={t('app.cancel')}
        onBack={onCancel}
      />
    </Stack>
  );
}
