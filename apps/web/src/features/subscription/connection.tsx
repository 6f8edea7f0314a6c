import { Cluster } from '@fixpoint/ui/layout.tsx';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { useHref } from '../../shop/links.ts';
import { type SubscriptionItem, useConnected } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Whether this page is connected through the subscription's address. Renders nothing if unknown.
 */
export function Connection({
  subscription,
}: {
  subscription: Pick<SubscriptionItem, 'id' | 'address' | 'status' | 'label'>;
}) {
  const t = useText();
  const href = useHref();
  const { data, isError } = useConnected();
  const { id, address, status, label } = subscription;
  if (!address || status === 'expired' || isError) return null;
  // The line is there before its words, so that nothing moves when they come.
  if (!data) return <p aria-hidden="true">{'\u00a0'}</p>;
  if (data.ids.includes(id)) return <StatusLabel tone="good">{t('connected.yes')}</StatusLabel>;
  return (
    <Cluster>
      <StatusLabel tone="idle">{t('connected.no')}</StatusLabel>
      <a
        href={href('/what-is-vpn#how-to')}
        // Several in a list lead to the same page, for different subscriptions.
        aria-label={`${t('connected.how')} (${label ?? address})`}
      >
        {t('connected.how')}
      </a>
    </Cluster>
  );
}
