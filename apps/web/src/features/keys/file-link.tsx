import { Button } from '@fixpoint/ui/button.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { asClock, useSecondsUntil } from '@fixpoint/ui/lib/countdown.ts';
import { QrCode } from '@fixpoint/ui/qr-code.tsx';
import { withPurpose } from '@fixpoint/web-client/step-up.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { config } from '../../server/config.ts';
import { usePath } from '../../shop/links.ts';
import { publicAddress } from '../../shop/public-address.ts';
import { deviceName, type SubscriptionKey } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

const SIZE = 208;

/**
 * Hands a file to another device (K18): QR code of a link that works once, for ten minutes, at the
 * shop's public address. The token is in the hash, which no server sees (S27).
 */
export function FileLink(props: {
  subscriptionId: string;
  of: SubscriptionKey;
  /** The file of the other device is made with this choice. */
  blockWhenEnded: boolean;
}) {
  const { subscriptionId, of: key, blockWhenEnded } = props;
  const t = useText();
  const path = usePath();
  const [link, setLink] = useState<{ url: string; until: number }>();
  const address = publicAddress(config());
  const make = useAction(async () => {
    const body = { subscriptionId, keyId: key.id, blockWhenEnded };
    const { token, endsIn } = await withPurpose(t('stepUp.file', { name: deviceName(key) }), () =>
      api.subscription.linkKey({ body }),
    );
    setLink({
      url: `${address}/#${path('/file')}?token=${token}`,
      until: Date.now() + endsIn * 1000,
    });
  });
  if (!address) return null;
  if (!link) {
    return (
      <Button busy={make.busy} onClick={() => make.run()}>
        {t('devices.link')}
      </Button>
    );
  }
  return <Shown {...link} onAgain={() => make.run()} busy={make.busy} />;
}

function Shown(props: { url: string; until: number; onAgain: () => void; busy: boolean }) {
  const t = useText();
  const left = useSecondsUntil(props.until);
  if (left === 0) {
    return (
      <Button busy={props.busy} onClick={props.onAgain}>
        {t('devices.link.again')}
      </Button>
    );
  }
  return (
    <Stack gap={2}>
      <QrCode value={props.url} label={t('devices.link.code')} size={SIZE} />
      <p>{t('devices.link.how', { time: asClock(left) })}</p>
    </Stack>
  );
}
