import { LinkButton } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

/** An order that this browser cannot show, or none: neither thanks nor another payment. */
export function OrderUnknown() {
  const t = useText();
  const href = useHref();
  return (
    <EmptyState
      title={t('order.unknown.title')}
      action={
        <Cluster>
          <LinkButton variant="primary" href={href('/get-started')}>
            {t('home.start')}
          </LinkButton>
          <LinkButton href={href('/auth/login')}>{t('nav.login')}</LinkButton>
        </Cluster>
      }
    >
      {t('order.unknown.text')}
    </EmptyState>
  );
}
