import { buttonClass } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Cluster, Page, Stack } from '@fixpoint/ui/layout.tsx';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';

/** Two lines, links to home, support and product (all to get-started), and a button. */
export function Screen() {
  const t = useText();
  const start = useHref()('/get-started');
  return (
    <Page width="text">
      <EmptyState
        drawing="lost"
        level={1}
        title={t('notFound.title')}
        action={
          <Stack>
            <a className={buttonClass({ variant: 'primary' })} href={start}>
              {t('notFound.start')}
            </a>
            <Cluster justify="center">
              {(['home', 'support', 'product'] as const).map(name => (
                <a key={name} href={start}>
                  {t(`notFound.${name}`)}
                </a>
              ))}
            </Cluster>
          </Stack>
        }
      >
        <p>{t('notFound.text1')}</p>
        <p>{t('notFound.text2')}</p>
      </EmptyState>
    </Page>
  );
}
