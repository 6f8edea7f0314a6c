import { LinkButton } from '@fixpoint/ui/button.tsx';
import { CommandLine } from '@fixpoint/ui/command-line.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { IconExternal } from '@fixpoint/ui/topic-icons.tsx';
import type { GuideDevice } from './devices.ts';
import { downloads } from './downloads.ts';
import { useText } from './texts.ts';

/** How the app comes onto a device. */
export function InstallApp({ device }: { device: GuideDevice }) {
  const t = useText();
  const wanted = device.downloads.flatMap(name => downloads.filter(({ id }) => id === name));
  return (
    <Stack gap={2}>
      <p>{t(device.install)}</p>
      {device.installCommand && <CommandLine>{device.installCommand}</CommandLine>}
      <Cluster>
        {wanted.map(({ id, label, href }) => (
          <LinkButton
            key={id}
            href={href}
            size="s"
            target="_blank"
            rel="noreferrer"
            iconEnd={<IconExternal size="1em" />}
          >
            {/* A shop of apps has a name of its own; a system's name says not what is behind it. */}
            {href.startsWith('https://openvpn.net/')
              ? t('guide.install.site', { system: t(label) })
              : t(label)}
          </LinkButton>
        ))}
      </Cluster>
    </Stack>
  );
}

/** How a device connects with its file. @param props.file its name, as soon as that is known */
export function ImportAndConnect({ device, file = 'laptop.ovpn' }: { device: GuideDevice; file?: string }) {
  const t = useText();
  return (
    <Stack gap={2}>
      <p>{t(device.connect)}</p>
      {device.connectCommand && <CommandLine>{`${device.connectCommand} ${file}`}</CommandLine>}
      {device.afterwards && <p>{t(device.afterwards)}</p>}
      {device.otherwise && <p>{t(device.otherwise)}</p>}
    </Stack>
  );
}
