import { useCard } from '../features/pay/card/use-card.tsx';
import { usePaypal } from '../features/pay/paypal/use-paypal.tsx';
import { useScan } from '../features/pay/scan/use-scan.tsx';
import type { PayMethod } from '../shop/pay-method.ts';

/**
 * Connects orders and payment methods; a new method is one more line here.
 * @param payBy methods that the shop accepts in the currency; cards always
 */
export function usePayMethods(payBy: readonly string[]): [PayMethod, ...PayMethod[]] {
  const card = useCard();
  const others = [usePaypal(), useScan('promptpay'), useScan('bitcoin')];
  return [card, ...others.filter(({ method }) => payBy.includes(method))];
}
