import { configurationFileName } from '@fixpoint/contract/configuration-file.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Steps } from '@fixpoint/ui/steps.tsx';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { useState } from 'react';
import { config } from '../../server/config.ts';
import { detectDevice } from '../../shop/detect-device.ts';
import { ImportAndConnect, InstallApp } from '../../shop/device-steps.tsx';
import { guideDevice } from '../../shop/devices.ts';
import { deviceName, type SubscriptionKey, useShownKeys } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { FileLink } from './file-link.tsx';
import { useFile } from './use-file.ts';

/**
 * Set-up of a device in one dialog: app, file (downloaded here, or by QR code on the device),
 * connection.
 */
export function DeviceSheet(props: {
  subscriptionId: string;
  of: SubscriptionKey;
  open: boolean;
  onClose: () => void;
  /** Target of the focus after closing; null: what opened it. */
  focusAfter: () => HTMLElement | null;
}) {
  const t = useText();
  const { subscriptionId, of: key, open, onClose } = props;
  const [blockWhenEnded, setBlock] = useState(key.blockWhenEnded);
  const file = useFile(subscriptionId, key, { blockWhenEnded });
  // The key as it is now: the dialog opens before its host has set it up.
  const shown = useShownKeys(subscriptionId)?.find(({ id }) => id === key.id) ?? key;
  const device = guideDevice(key.device ?? detectDevice(navigator));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      closeLabel={t('app.close')}
      maxWidth="56rem"
      focusAfter={props.focusAfter}
      title={t('devices.setUp.label', {
        name: isSuggested(deviceName(key), device.id) ? t(`guide.device.${device.id}`) : deviceName(key),
      })}
    >
      <Steps
        items={[
          {
            id: 'install',
            title: t('guide.install'),
            content: <InstallApp device={device} />,
          },
          {
            id: 'file',
            title: t('guide.file'),
            content: (
              <Stack gap={3}>
                <Checkbox
                  label={t('keys.block')}
                  hint={
                    device.id === 'linux'
                      ? t('keys.block.hint')
                      : `${t('keys.block.hint')} ${t('keys.block.app')}`
                  }
                  checked={blockWhenEnded}
                  onChange={event => setBlock(event.target.checked)}
                />
                <Button variant="primary" icon={<IconDownload />} busy={file.busy} onClick={() => file.run()}>
                  {t('keys.download')}
                </Button>
                <FileLink
                  // A code for the other choice is no longer shown.
                  key={String(blockWhenEnded)}
                  subscriptionId={subscriptionId}
                  of={key}
                  blockWhenEnded={blockWhenEnded}
                />
                <p className="muted">{t('guide.private')}</p>
              </Stack>
            ),
          },
          {
            id: 'connect',
            title: t('guide.connect'),
            content: (
              <Stack gap={3}>
                {shown.settingUp && (
                  <Alert type="info" title={t('keys.settingUp')}>
                    {t('keys.settingUp.wait')}
                  </Alert>
                )}
                <ImportAndConnect
                  device={device}
                  file={file.saved ?? configurationFileName(config().BRAND_NAME, key.name)}
                />
              </Stack>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

/** A name that was only suggested is the kind as the program spells it, with a number from the second device on. */
const isSuggested = (name: string, kind: string): boolean => new RegExp(`^${kind}(-\\d+)?$`).test(name);
