import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Card, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useHref } from '../../shop/links.ts';
import { useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import type { AfterEnd } from './after-end.ts';
import { EndDialog, type Ending, TeamLink } from './end-dialog.tsx';
import type { Profile } from './profile.ts';

const endings = ['disable', 'delete'] as const;
const REASON = 'end-reason';

/**
 * Two ways to close an account; the dialog names the consequences of each.
 * @param props.after what becomes of the account of the session, as far as it is known
 */
export function EndSection({ profile, after }: { profile: Profile; after: AfterEnd | undefined }) {
  const t = useText();
  const [ending, setEnding] = useState<Ending>('disable');
  const [open, setOpen] = useState(false);
  const href = useHref();
  // Running ones come first. Gifts keep nobody. The server decides.
  const { data } = useSubscriptions(1, { sort: 'soonest' }, after === 'ends');
  const runs =
    after === 'ends' &&
    data?.items.some(
      ({ status, cancelAtPeriodEnd, isGift }) => status !== 'expired' && !cancelAtPeriodEnd && !isGift,
    );
  const mustHandOver = after === 'handOver';
  const isKept = runs || mustHandOver;
  return (
    <Section id="end" title={t('account.end.title')} lead={t('account.end.lead')}>
      {runs && (
        <Alert type="info" action={<a href={href('/management/subscription')}>{t('account.end.running')}</a>}>
          <span id={REASON}>{t('errorCode.8007')}</span>
        </Alert>
      )}
      {mustHandOver && (
        <Alert type="info" action={<TeamLink />}>
          <span id={REASON}>{t('account.end.others')}</span>
        </Alert>
      )}
      <Grid>
        {endings.map(each => (
          <Card
            key={each}
            footer={
              <Button
                variant={each === 'delete' ? 'danger' : 'secondary'}
                disabled={isKept}
                aria-describedby={isKept ? REASON : undefined}
                onClick={() => {
                  setEnding(each);
                  setOpen(true);
                }}
              >
                {t(`account.end.${each}`)}
              </Button>
            }
          >
            <Stack gap={2}>
              <h3>{t(`account.end.${each}`)}</h3>
              <p>{t(`account.end.${each}.head`)}</p>
              <p className="muted">{t(`account.end.${each}.text`)}</p>
            </Stack>
          </Card>
        ))}
      </Grid>
      <EndDialog ending={ending} profile={profile} after={after} open={open} onClose={() => setOpen(false)} />
    </Section>
  );
}
