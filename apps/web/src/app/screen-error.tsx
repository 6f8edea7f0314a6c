import { useText } from '../lib/texts.ts';
import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/layout.tsx';

/** 'An error occurred' (spec section 2): what every fault shows that nobody has foreseen. */
export function ScreenError() {
  const t = useText();
  return (
    <Page width="text">
      <Section level={1} title={t('app.error.title')} lead={t('app.error.text')}>
        <Button onClick={() => window.location.reload()}>{t('app.reload')}</Button>
      </Section>
    </Page>
  );
}
