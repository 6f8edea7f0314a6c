import { useHref } from '../lib/links.ts';
import { useText } from '../lib/texts.ts';
import { Button } from '../ui/button.tsx';
import { Cluster, Page, Section } from '../ui/layout.tsx';
import { START } from './guard.ts';

/** 'An error occurred' (spec section 2): what every fault shows that nobody has foreseen. */
export function ScreenError() {
  const t = useText();
  const href = useHref();
  return (
    <Page width="text">
      <Section level={1} title={t('app.error.title')} lead={t('app.error.text')}>
        <Cluster>
          <Button onClick={() => window.location.reload()}>{t('app.reload')}</Button>
          <a href={href(START)}>{t('notFound.start')}</a>
        </Cluster>
      </Section>
    </Page>
  );
}
