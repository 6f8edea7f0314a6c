import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** An order that can no longer be paid: says why, and where to start again. */
export function OrderClosed({ status }: { status: 'expired' | 'refunded' }) {
  const t = useText();
  const href = useHref();
  return (
    <EmptyState
      title={t(`order.${status}.title`)}
      action={<LinkButton href={href('/get-started')}>{t('order.expired.action')}</LinkButton>}
    >
      {t(`order.${status}.text`)}
    </EmptyState>
  );
}
