import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { saveFile } from '@fixpoint/ui/lib/save-file.ts';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { detectDevice } from '../../shop/detect-device.ts';
import { ImportAndConnect, InstallApp } from '../../shop/device-steps.tsx';
import { guideDevice } from '../../shop/devices.ts';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

const isSpent = (error: unknown) => codeOf(error) === '8003';

/**
 * Set-up on the device itself, from a one-time link. The link is used up by the click, not by
 * opening the page: cameras and messengers open links for previews.
 */
export function FetchedFile({ token, onSpent }: { token: string; onSpent: () => void }) {
  const t = useText();
  const href = useHref();
  const [saved, setSaved] = useState<string>();
  const fetching = useAction(async () => {
    try {
      const { fileName, profile } = await api.subscription.fetchKey({ body: {}, bearer: token });
      onSpent();
      saveFile(fileName, profile, 'application/x-openvpn-profile');
      setSaved(fileName);
    } catch (error) {
      if (isSpent(error)) onSpent();
      throw error;
    }
  });
  const device = guideDevice(detectDevice(navigator));
  const dead = token === '' || isSpent(fetching.error);
  if (dead && !saved) {
    return (
      <Section level={1} title={t('file.dead.title')} lead={t('file.dead.text')}>
        <p>
          <LinkButton variant="primary" href={href('/management/subscription')}>
            {t('subscription.all')}
          </LinkButton>
        </p>
      </Section>
    );
  }
  return (
    <Section level={1} title={t('file.title')} lead={t('file.lead')}>
      <Stack gap={6}>
        <Section level={2} title={t('guide.install')}>
          <InstallApp device={device} />
        </Section>
        <Section level={2} title={t('guide.file')}>
          {saved ? (
            <Alert type="success" live>
              {t('keys.downloaded', { file: saved })}
            </Alert>
          ) : (
            <p>
              <Button
                variant="primary"
                icon={<IconDownload />}
                busy={fetching.busy}
                onClick={() => fetching.run()}
              >
                {t('keys.download')}
              </Button>
            </p>
          )}
        </Section>
        <Section level={2} title={t('guide.connect')}>
          <ImportAndConnect device={device} file={saved} />
        </Section>
      </Stack>
    </Section>
  );
}
