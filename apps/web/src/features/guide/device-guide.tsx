import { downloads } from '../../shop/downloads.ts';
import { useText } from '../../shop/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DeviceDrawing } from '../../ui/drawings/device.tsx';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { IconExternal } from '../../ui/topic-icons.tsx';
import { deviceInHand } from './device-in-hand.ts';
import { type GuideDevice, guideDevices } from './devices.ts';

/** Set-up in three steps for each kind of device, with pictures and the official downloads (U63). */
export function DeviceGuide() {
  const t = useText();
  return (
    <Stack gap={8}>
      <Tabs
        label={t('guide.device')}
        first={deviceInHand(navigator)}
        items={guideDevices.map(device => ({
          id: device.id,
          label: t(`guide.device.${device.id}`),
          panel: <SetUp device={device} />,
        }))}
      />
      <Stack gap={2}>
        <p>{t('guide.check')}</p>
        <p className="muted">{t('guide.private')}</p>
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
          content: (
            <>
              <p>{t(device.install)}</p>
              {device.installCommand && <CommandLine>{device.installCommand}</CommandLine>}
              <Cluster>
                {device.downloads
                  .flatMap(wanted => downloads.filter(({ id }) => id === wanted))
                  .map(({ id, label, href }) => (
                    <LinkButton
                      key={id}
                      href={href}
                      size="s"
                      target="_blank"
                      rel="noreferrer"
                      iconEnd={<IconExternal size="1em" />}
                    >
                      {t(label)}
                    </LinkButton>
                  ))}
              </Cluster>
            </>
          ),
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
          content: (
            <>
              <p>{t(device.connect)}</p>
              {device.connectCommand && <CommandLine>{device.connectCommand}</CommandLine>}
              {device.otherwise && <p>{t(device.otherwise)}</p>}
            </>
          ),
        },
      ]}
    />
  );
}
