import { type EmailChoice, emailChoices } from '@fixpoint/contract/email-choices.ts';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';
import type { Profile } from './profile.ts';

/**
 * Kinds of emails that the user may switch off; each is saved at once.
 * @param props.shared another owner of the account gets its emails, too
 */
export function EmailsSection({ profile, shared }: { profile: Profile; shared: boolean }) {
  const t = useText();
  const [off, setOff] = useState<readonly EmailChoice[]>(profile.emailsOff);
  const save = useAction(async (next: EmailChoice[]) => {
    const before = off;
    setOff(next);
    try {
      await api.account.setEmails({ body: { off: next } });
      snacks.show({ type: 'success', text: t('account.emails.saved') });
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
    } catch (error) {
      setOff(before);
      throw error;
    }
  });
  return (
    <Section
      title={t('account.emails.title')}
      lead={shared ? t('account.emails.lead.shared') : t('account.emails.lead')}
    >
      <Stack gap={3}>
        {emailChoices
          .filter(kind => kind !== 'shared' || shared)
          .map(kind => (
            <Checkbox
              key={kind}
              name={kind}
              label={t(`account.emails.${kind}`)}
              checked={!off.includes(kind)}
              disabled={save.busy}
              onChange={({ target }) =>
                save.run(target.checked ? off.filter(other => other !== kind) : [...off, kind])
              }
            />
          ))}
      </Stack>
    </Section>
  );
}
