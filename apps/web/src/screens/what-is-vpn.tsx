import { buttonClass } from '@fixpoint/ui/button.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { DeviceGuide } from '../features/guide/device-guide.tsx';
import { FixedIpUses, Limits } from '../features/story/fixed-ip.tsx';
import { NoLogsProof } from '../features/story/no-logs-proof.tsx';
import { Ways } from '../features/story/ways.tsx';
import { WhoSees } from '../features/story/who-sees.tsx';
import { SupportWays } from '../features/support/support-ways.tsx';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';

/**
 * Explanation, set-up of devices (anchor `#how-to`) and ways to reach support (anchor `#support`).
 */
export function Screen() {
  const t = useText();
  const href = useHref();
  return (
    <Page>
      <Stack gap={24}>
        <Stack gap={16}>
          <Section level={1} title={t('vpn.title')} lead={t('vpn.lead')} />
          <Section title={t('vpn.way')}>
            <Ways />
          </Section>
          <Section title={t('vpn.who')}>
            <WhoSees />
            <NoLogsProof />
          </Section>
        </Stack>
        <Section size="l" title={t('vpn.fixed')}>
          <FixedIpUses />
        </Section>
        <Section size="l" title={t('vpn.limits')} lead={t('vpn.limits.lead')}>
          <Limits />
          <p>
            <a className={buttonClass({ variant: 'primary' })} href={href('/get-started')}>
              {t('home.start')}
            </a>
          </p>
        </Section>
        <Section size="l" id="how-to" title={t('guide.title')} lead={t('guide.lead')}>
          <DeviceGuide />
        </Section>
        <Section size="l" id="support" title={t('support.title')} lead={t('support.lead')}>
          <SupportWays />
        </Section>
      </Stack>
    </Page>
  );
}
