import { Cluster } from '@fixpoint/ui/layout.tsx';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { useHref } from '../../shop/links.ts';
import { type SubscriptionItem, useConnected } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Whether this page is connected through the subscription's address. Renders nothing if unknown.
 */
export function Connection({ subscription }: { subscription: SubscriptionItem }) {
  const t = useText();
  const href = useHref();
  const { data } = useConnected();
  const { id, address, status } = subscription;
  if (!data || !address || status === 'expired') return null;
  if (data.ids.includes(id)) return <StatusLabel tone="good">{t('connected.yes')}</StatusLabel>;
  return (
    <Cluster>
      <StatusLabel tone="idle">{t('connected.no')}</StatusLabel>
      <a href={href('/what-is-vpn#how-to')}>{t('connected.how')}</a>
    </Cluster>
  );
}
