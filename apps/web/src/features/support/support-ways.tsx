import { Button } from '@fixpoint/ui/button.tsx';
import { CheckList } from '@fixpoint/ui/check-list.tsx';
import { Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { IconChat } from '@fixpoint/ui/topic-icons.tsx';
import { support } from '../../shop/support.ts';
import { hoursText } from '../../shop/support-hours.ts';
import { useText } from '../../shop/texts.ts';
import { chatOpen } from './chat-open.ts';

const checks = ['online', 'active', 'twice', 'again'] as const;

/** How to reach support and when, what to try before, and what to tell. */
export function SupportWays() {
  const t = useText();
  const { email, chat, always } = support();
  const hours = <p className="muted">{hoursText(t)}</p>;
  return (
    <Grid min="18rem" gap={12}>
      <Stack gap={8}>
        {chat && (
          <Section
            level={3}
            title={t(always ? 'home.promise.help.chatAlways' : 'home.promise.help.chat')}
            lead={t('support.chat.text')}
          >
            {!always && hours}
            <p>
              <Button icon={<IconChat />} onClick={() => chatOpen.set(true)}>
                {t('support.chat.open')}
              </Button>
            </p>
          </Section>
        )}
        <Section level={3} title={t('support.mail')}>
          <p>
            <a href={`mailto:${email}`}>{email}</a>
          </p>
          {!chat && hours}
        </Section>
      </Stack>
      <Section level={3} title={t('support.before')}>
        <CheckList items={checks.map(id => t(`support.before.${id}`))} />
      </Section>
      <Section level={3} title={t('support.tell')}>
        <p>{t('support.tell.text')}</p>
      </Section>
    </Grid>
  );
}
