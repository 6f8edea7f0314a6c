import { LinkButton } from '@fixpoint/ui/button.tsx';
import { EmptyState } from '@fixpoint/ui/empty-state.tsx';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

/**
 * An order that can no longer be paid: why, and where to start again. A late payment for a
 * subscription that had changed became credit instead of a refund.
 */
export function OrderClosed(props: { status: 'expired' | 'refunded'; forExisting: boolean }) {
  const t = useText();
  const href = useHref();
  const reason = props.status === 'refunded' && props.forExisting ? 'kept' : props.status;
  return (
    <EmptyState
      title={t(`order.${reason}.title`)}
      action={<LinkButton href={href('/get-started')}>{t('order.expired.action')}</LinkButton>}
    >
      {t(`order.${reason}.text`)}
    </EmptyState>
  );
}
