import { Dock } from '@fixpoint/ui/dock.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Questions } from '../features/plans/questions.tsx';
import { support } from '../shop/support.ts';
import { hoursText } from '../shop/support-hours.ts';
import { useText } from '../shop/texts.ts';

/** Help beside the order, which stays open: common questions and contact. */
export function CheckoutHelp({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { email } = support();
  return (
    <Dock title={t('support.help')} closeLabel={t('app.close')} onClose={onClose}>
      <Stack gap={8}>
        <Section level={3} title={t('support.mail')} lead={hoursText(t)}>
          <p>
            <a href={`mailto:${email}`}>{email}</a>
          </p>
        </Section>
        <Section level={3} title={t('plans.faq')}>
          <Questions ids={['start', 'renewal', 'cancel', 'software', 'logs']} />
        </Section>
      </Stack>
    </Dock>
  );
}
