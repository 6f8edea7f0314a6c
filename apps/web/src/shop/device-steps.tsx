import { LinkButton } from '@fixpoint/ui/button.tsx';
import { CommandLine } from '@fixpoint/ui/command-line.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { IconExternal } from '@fixpoint/ui/topic-icons.tsx';
import type { GuideDevice } from './devices.ts';
import { downloads } from './downloads.ts';
import { useText } from './texts.ts';

/** How to install the app on a device. */
export function InstallApp({ device }: { device: GuideDevice }) {
  const t = useText();
  const wanted = device.downloads.flatMap(name => downloads.filter(({ id }) => id === name));
  return (
    <Stack gap={2}>
      <p>{t(device.install)}</p>
      {device.installCommand && (
        <CommandLine label={t('guide.install')} copyLabel={t('app.copy')} copiedLabel={t('app.copied')}>
          {device.installCommand}
        </CommandLine>
      )}
      <Cluster>
        {wanted.map(({ id, href }) => (
          <LinkButton
            key={id}
            href={href}
            size="s"
            target="_blank"
            rel="noreferrer"
            iconEnd={<IconExternal size="1em" />}
          >
            {/* An app store is named by itself; for a website the text says what the link is. */}
            {href.startsWith('https://openvpn.net/')
              ? t('guide.install.site', { system: t(`download.${id}`) })
              : t(`download.${id}`)}
          </LinkButton>
        ))}
      </Cluster>
    </Stack>
  );
}

/** A file name as one word of a shell: quoted where it holds more than plain letters and signs. */
const shellWord = (name: string): string =>
  /^[\w.,+-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;

/**
 * How to import a key file and connect.
 * @param props.file name of the file, if known
 */
export function ImportAndConnect({ device, file = 'laptop.ovpn' }: { device: GuideDevice; file?: string }) {
  const t = useText();
  return (
    <Stack gap={2}>
      <p>{t(device.connect)}</p>
      {device.connectCommand && (
        <CommandLine
          label={t('guide.connect.command')}
          copyLabel={t('app.copy')}
          copiedLabel={t('app.copied')}
        >
          {`${device.connectCommand} ${shellWord(file)}`}
        </CommandLine>
      )}
      {device.afterwards && <p>{t(device.afterwards)}</p>}
      {device.otherwise && <p>{t(device.otherwise)}</p>}
    </Stack>
  );
}
