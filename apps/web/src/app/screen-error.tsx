import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Page } from '@fixpoint/ui/layout.tsx';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { START } from './guard.ts';

/** Generic error screen for unexpected failures. */
export function ScreenError() {
  const t = useText();
  const href = useHref();
  return (
    <Page width="text">
      <EmptyState
        drawing="error"
        level={1}
        title={t('app.error.title')}
        action={
          <>
            <Button onClick={() => window.location.reload()}>{t('app.reload')}</Button>
            <LinkButton variant="quiet" href={href(START)}>
              {t('notFound.start')}
            </LinkButton>
          </>
        }
      >
        <p>{t('app.error.text')}</p>
      </EmptyState>
    </Page>
  );
}
