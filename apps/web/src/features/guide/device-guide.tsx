import { Stack } from '@fixpoint/ui/layout.tsx';
import { Steps } from '@fixpoint/ui/steps.tsx';
import { Tabs } from '@fixpoint/ui/tabs.tsx';
import { detectDevice } from '../../shop/detect-device.ts';
import { DeviceDrawing } from '../../shop/device-drawing.tsx';
import { ImportAndConnect, InstallApp } from '../../shop/device-steps.tsx';
import { type GuideDevice, guideDevices } from '../../shop/devices.ts';
import { useText } from '../../shop/texts.ts';

/** Set-up in three steps for each kind of device, with pictures and official downloads. */
export function DeviceGuide() {
  const t = useText();
  return (
    <Stack gap={8}>
      <Tabs
        label={t('guide.device')}
        first={detectDevice(navigator)}
        items={guideDevices.map(device => ({
          id: device.id,
          label: t(`guide.device.${device.id}`),
          panel: <SetUp device={device} />,
        }))}
      />
      <Stack gap={2}>
        <p>{t('guide.check')}</p>
        <p className="muted">{t('guide.private')}</p>
        <p className="muted">{t('guide.without')}</p>
      </Stack>
    </Stack>
  );
}

function SetUp({ device }: { device: GuideDevice }) {
  const t = useText();
  const { frame } = device;
  return (
    <Steps
      items={[
        {
          id: 'install',
          title: t('guide.install'),
          picture: <DeviceDrawing frame={frame} scene="install" />,
          content: <InstallApp device={device} />,
        },
        {
          id: 'file',
          title: t('guide.file'),
          picture: <DeviceDrawing frame={frame} scene="file" />,
          content: <p>{t(device.file, { download: t('keys.download') })}</p>,
        },
        {
          id: 'connect',
          title: t('guide.connect'),
          picture: <DeviceDrawing frame={frame} scene="connect" />,
          content: <ImportAndConnect device={device} />,
        },
      ]}
    />
  );
}
