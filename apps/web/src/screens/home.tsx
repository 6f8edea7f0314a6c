import { useHref } from '../lib/links.ts';
import { useText } from '../lib/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Hero } from '../ui/hero.tsx';
import { Grid, Page, Section, Stack } from '../ui/layout.tsx';

const promises = ['ip', 'logs', 'bandwidth', 'hosts'] as const;

/** What the product promises, and the way to the plans. */
export function Screen() {
  const t = useText();
  const href = useHref();
  return (
    <Page>
      <Stack gap={16}>
        <Hero
          title={t('home.title')}
          lead={t('home.lead')}
          actions={
            <a className={buttonClass({ variant: 'primary', size: 'l' })} href={href('/get-started')}>
              {t('home.start')}
            </a>
          }
        />
        <Section size="l" title={t('home.promises')}>
          <Grid>
            {promises.map(id => (
              <Section key={id} level={3} title={t(`home.promise.${id}.title`)}>
                <p>{t(`home.promise.${id}.text`)}</p>
              </Section>
            ))}
          </Grid>
        </Section>
      </Stack>
    </Page>
  );
}
