import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { Copyable } from '@fixpoint/ui/copyable.tsx';
import { Beside, Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { useMedia } from '@fixpoint/ui/lib/use-media.ts';
import { QrCode } from '@fixpoint/ui/qr-code.tsx';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { type ReactNode, useState } from 'react';
import { config } from '../../../server/config.ts';
import { showError } from '../../../shop/snack.ts';
import { useText } from '../../../shop/texts.ts';
import { usePaidAmount } from './paid-amount.ts';
import { savePicture } from './save-picture.ts';

const SIZE = 256;
/** Where code and text stand below each other. */
const PHONE = '(max-width: 39.99rem)';

/** The code, and other ways to its content, because a phone has no second camera. */
export function ScanCode(props: {
  method: 'promptpay' | 'bitcoin';
  nextAction: Extract<NextAction, { kind: 'scan' }>;
  /** Price of the order, if it is paid in another unit. */
  price?: string | undefined;
  /** Below the code. */
  children: ReactNode;
}) {
  const t = useText();
  const { method, nextAction, price } = props;
  const { text, address, amount, unit } = nextAction;
  const sum = usePaidAmount()(nextAction);
  const [saving, setSaving] = useState(false);

  async function save() {
    setSaving(true);
    try {
      const captions = [config().BRAND_NAME, sum];
      await savePicture(text, captions, `${method}-${amount}.png`);
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  }

  const phone = useMedia(PHONE);
  const saveButton = (
    <Button
      variant={phone && method === 'promptpay' ? 'primary' : 'secondary'}
      icon={<IconDownload />}
      busy={saving}
      onClick={save}
    >
      {t('order.scan.save')}
    </Button>
  );
  const copy = { copyLabel: t('app.copy'), copiedLabel: t('app.copied') };
  const code = (
    <Stack gap={3} align={phone ? 'center' : undefined}>
      <QrCode value={text} label={t('order.scan.code')} size={SIZE} />
      {props.children}
    </Stack>
  );
  // The phone that pays has no second camera: what works on it comes first.
  const onThisPhone = phone && method === 'promptpay' && (
    <Stack gap={3}>
      <p>{t('order.scan.promptpay.phone')}</p>
      {saveButton}
    </Stack>
  );
  return (
    <Beside
      thing={
        onThisPhone ? (
          <Stack gap={6}>
            {onThisPhone}
            {code}
          </Stack>
        ) : (
          code
        )
      }
    >
      <Stack>
        <p>{t(`order.scan.${method}.how`)}</p>
        {price && (
          <Fact label={t('order.summary.total')}>
            <span className="tabular">{price}</span>
          </Fact>
        )}
        <Fact label={t('order.scan.amount')}>
          {unit === 'BTC' ? (
            <Copyable value={amount} unit={unit} label={t('order.scan.amount')} {...copy} />
          ) : (
            // Banking apps read it from the code, so nobody has to copy it.
            <span className="tabular">{sum}</span>
          )}
        </Fact>
        {address && (
          <Fact label={t('order.scan.address')}>
            <Copyable value={address} label={t('order.scan.address')} {...copy} />
          </Fact>
        )}
        {!onThisPhone && (
          <>
            <Cluster>
              {method === 'bitcoin' && <LinkButton href={text}>{t('order.scan.open')}</LinkButton>}
              {saveButton}
            </Cluster>
            {method === 'promptpay' && <p className="muted">{t('order.scan.promptpay.phone')}</p>}
          </>
        )}
      </Stack>
    </Beside>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p className="muted">{label}</p>
      {children}
    </div>
  );
}
