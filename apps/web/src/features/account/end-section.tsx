import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Card, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useHref } from '../../shop/links.ts';
import { useSubscriptions } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { EndDialog, type Ending } from './end-dialog.tsx';

const endings = ['disable', 'delete'] as const;

/** Two ways to close an account; the dialog names the consequences of each. */
export function EndSection({ email }: { email: string }) {
  const t = useText();
  const [ending, setEnding] = useState<Ending>('disable');
  const [open, setOpen] = useState(false);
  const href = useHref();
  // Running ones come first. The server decides: it also lets customers go whose subscription was a
  // gift.
  const { data } = useSubscriptions(1, { sort: 'soonest' });
  const runs = data?.items.some(
    ({ status, cancelAtPeriodEnd }) => status !== 'expired' && !cancelAtPeriodEnd,
  );
  return (
    <Section id="end" title={t('account.end.title')} lead={t('account.end.lead')}>
      {runs && (
        <Alert type="info" action={<a href={href('/management/subscription')}>{t('account.end.running')}</a>}>
          {t('errorCode.8007')}
        </Alert>
      )}
      <Grid>
        {endings.map(each => (
          <Card
            key={each}
            footer={
              <Button
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
              <h3>{t(`account.end.${each}.head`)}</h3>
              <p className="muted">{t(`account.end.${each}.text`)}</p>
            </Stack>
          </Card>
        ))}
      </Grid>
      <EndDialog ending={ending} email={email} open={open} onClose={() => setOpen(false)} />
    </Section>
  );
}
