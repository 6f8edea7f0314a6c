import { leaveFor } from '../../../shop/away.ts';
import type { PayMethod } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { Cluster } from '../../../ui/layout.tsx';
import { PayMark } from '../../../ui/pay-mark.tsx';

/** Paying with PayPal, agreed to on PayPal's own page. */
export function usePaypal(): PayMethod {
  const t = useText();
  return {
    method: 'paypal',
    title: (
      <Cluster>
        <PayMark brand="paypal" />
        <span>{t('billing.method.paypal')}</span>
      </Cluster>
    ),
    declined: 'order.paypal.declined',
    missing: () => [],
    fields: () => <p className="muted">{t('order.paypal.lead')}</p>,
    async confirm(payable) {
      if (payable.kind === 'wait') return { kind: 'taken' };
      if (payable.kind !== 'redirect') throw new Error(`PayPal cannot be paid by ${payable.kind}`);
      return leaveFor(payable.url);
    },
  };
}
