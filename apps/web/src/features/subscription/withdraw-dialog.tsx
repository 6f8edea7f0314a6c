import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { useNameOfCountry } from '../../shop/country.ts';
import { useFormat } from '../../shop/format.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

type Refundable = DataOf<(typeof subscriptionCalls)['withdrawal']>;
type Props = {
  subscription: { id: string; countries: string[]; again: boolean };
  open: boolean;
  onClose: () => void;
};

/**
 * Shows the refund under the law of the chosen country before the confirmation. Without countries
 * none is asked: the customer waits for the VPN and gets everything back.
 */
export function WithdrawDialog({ subscription, open, onClose }: Props) {
  const t = useText();
  const nameOf = useNameOfCountry();
  const { id, countries, again } = subscription;
  const [country, setCountry] = useState(countries.length === 1 ? countries[0]! : '');
  const asked = countries.length > 0;
  const known = country !== '' || !asked;
  const request = { id, ...(country && { country }) };
  const offer = useQuery({
    queryKey: ['withdrawal', id, country],
    queryFn: () => api.subscription.withdrawal({ query: request }),
    enabled: open && known,
    // The refund changes daily.
    staleTime: 0,
  });
  const refund = known ? offer.data : undefined;
  const withdraw = useAction(async () => {
    try {
      await api.subscription.withdraw({ body: { ...request, back: refund! } });
      onClose();
    } finally {
      // Also after a refusal: the refund has changed.
      await Promise.all([refreshSubscription(id), offer.refetch()]);
    }
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => withdraw.run()}
      title={t('withdrawal.title')}
      confirmLabel={t('withdrawal.confirm')}
      cancelLabel={t('withdrawal.keep')}
      closeLabel={t('app.close')}
      danger
      busy={withdraw.busy}
      blocked={!refund}
    >
      <Stack gap={4}>
        <p>{t('withdrawal.text')}</p>
        {again && <p>{t('withdrawal.again')}</p>}
        {asked && (
          <Select
            label={t('withdrawal.country')}
            name="country"
            placeholder={t('withdrawal.choose')}
            options={countries.map(value => ({ value, label: nameOf(value) ?? value }))}
            value={country}
            onChange={({ target }) => setCountry(target.value)}
          />
        )}
        {known && offer.error && <LoadError error={offer.error} onRetry={offer.refetch} />}
        {known && offer.isPending && <Skeleton lines={1} label={t('app.loading')} />}
        {refund && <RefundRows {...refund} />}
      </Stack>
    </ConfirmDialog>
  );
}

function RefundRows({ currency, money, credit }: Refundable) {
  const t = useText();
  const format = useFormat();
  const rows = [
    (money > 0 || credit === 0) && {
      term: t('withdrawal.money'),
      value: format.money(money, currency),
      strong: true,
    },
    credit > 0 && { term: t('withdrawal.credit'), value: format.money(credit, currency), strong: true },
  ];
  return <SummaryList rows={rows.filter(row => row !== false)} />;
}
