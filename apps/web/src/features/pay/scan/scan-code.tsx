import type { Payable } from '@fixpoint/contract/calls/order.ts';
import { useState } from 'react';
import { config } from '../../../server/config.ts';
import { showError } from '../../../shop/snack.ts';
import { useText } from '../../../shop/texts.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { IconDownload } from '../../../ui/topic-icons.tsx';
import { keepPicture } from './keep-picture.ts';

const SIZE = 256;

/** The code, and every other way to what it says: on a phone there is no second camera. */
export function ScanCode(props: {
  method: 'promptpay' | 'bitcoin';
  payable: Extract<Payable, { kind: 'scan' }>;
}) {
  const t = useText();
  const { method, payable } = props;
  const { text, address, amount, unit } = payable;
  const [saving, setSaving] = useState(false);

  async function save() {
    setSaving(true);
    try {
      const words = [config().BRAND_NAME, `${amount} ${unit}`];
      await keepPicture(text, words, `${method}-${amount}.png`);
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  }

  const copy = { copyLabel: t('app.copy'), copiedLabel: t('app.copied') };
  return (
    <Cluster gap={8} align="start">
      <QrCode value={text} label={t('order.scan.code')} size={SIZE} />
      <Stack gap={4}>
        <p>{t(`order.scan.${method}.how`)}</p>
        <Stack gap={2}>
          <p className="muted">{t('order.scan.amount')}</p>
          <Copyable value={amount} unit={unit} label={t('order.scan.amount')} {...copy} />
        </Stack>
        {address && (
          <Stack gap={2}>
            <p className="muted">{t('order.scan.address')}</p>
            <Copyable value={address} label={t('order.scan.address')} {...copy} />
          </Stack>
        )}
        <Cluster>
          {method === 'bitcoin' && <LinkButton href={text}>{t('order.scan.open')}</LinkButton>}
          <Button icon={<IconDownload />} busy={saving} onClick={save}>
            {t('order.scan.save')}
          </Button>
        </Cluster>
        {method === 'promptpay' && <p className="muted">{t('order.scan.promptpay.phone')}</p>}
      </Stack>
    </Cluster>
  );
}
