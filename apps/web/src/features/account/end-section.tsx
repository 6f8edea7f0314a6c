import { useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Grid, Section, Stack } from '../../ui/layout.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';

const endings = ['disable', 'delete'] as const;

/** Two ways to leave; the question that follows says what goes and what stays (U40). */
export function EndSection({ email }: { email: string }) {
  const t = useText();
  const [ending, setEnding] = useState<Ending>('disable');
  const [open, setOpen] = useState(false);
  return (
    <Section id="end" title={t('account.end.title')} lead={t('account.end.lead')}>
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
