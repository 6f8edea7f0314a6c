import { PayMark } from '../../../shop/pay-mark.tsx';
import type { OfferedMethod } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { ScanPay } from './scan-pay.tsx';

/** Payment by scanning a code with a phone or wallet. */
export function useScan(method: 'promptpay' | 'bitcoin'): OfferedMethod {
  const t = useText();
  return {
    id: method,
    method,
    title: t(`billing.method.${method}`),
    marks: <PayMark brand={method} />,
    declined: `order.${method}.declined`,
    missing: () => [],
    fields: () => <p className="muted">{t(`order.scan.${method}.lead`)}</p>,
    async confirm(nextAction, _buyer, handle) {
      if (nextAction.kind !== 'scan' && nextAction.kind !== 'wait') {
        throw new Error(`${method} cannot be paid by ${nextAction.kind}`);
      }
      return { kind: 'elsewhere', meanwhile: <ScanPay method={method} handle={handle} /> };
    },
  };
}
