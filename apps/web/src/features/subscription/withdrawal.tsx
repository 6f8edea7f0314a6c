import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useFormat } from '../../shop/format.ts';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/**
 * Withdrawal within the first 14 days, where the law of a country grants it. For everybody, without
 * a deadline, while the paid VPN is not delivered.
 */
export function Withdrawal({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const { date } = useFormat();
  const [asking, setAsking] = useState(false);
  const { id, withdrawal } = subscription;
  if (!withdrawal) return null;
  return (
    <>
      <Cluster>
        <p>
          {withdrawal.until
            ? t('withdrawal.offer', { date: date(withdrawal.until) })
            : t('withdrawal.waiting')}
        </p>
        <Button onClick={() => setAsking(true)}>{t('withdrawal.open')}</Button>
      </Cluster>
      <WithdrawDialog subscription={{ id, ...withdrawal }} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}
