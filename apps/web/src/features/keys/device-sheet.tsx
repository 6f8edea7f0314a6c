import { Button } from '@fixpoint/ui/button.tsx';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Steps } from '@fixpoint/ui/steps.tsx';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { detectDevice } from '../../shop/detect-device.ts';
import { ImportAndConnect, InstallApp } from '../../shop/device-steps.tsx';
import { guideDevice } from '../../shop/devices.ts';
import { deviceName, type SubscriptionKey } from '../../shop/subscriptions.ts';
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
}) {
  const t = useText();
  const { subscriptionId, of: key, open, onClose } = props;
  const file = useFile(subscriptionId, key);
  const device = guideDevice(key.device ?? detectDevice(navigator));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      closeLabel={t('app.close')}
      maxWidth="56rem"
      title={t('devices.setUp.label', { name: deviceName(key) })}
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
                <Button variant="primary" icon={<IconDownload />} busy={file.busy} onClick={() => file.run()}>
                  {t('keys.download')}
                </Button>
                <FileLink subscriptionId={subscriptionId} of={key} />
                <p className="muted">{t('guide.private')}</p>
              </Stack>
            ),
          },
          {
            id: 'connect',
            title: t('guide.connect'),
            content: <ImportAndConnect device={device} file={file.saved} />,
          },
        ]}
      />
    </Dialog>
  );
}
