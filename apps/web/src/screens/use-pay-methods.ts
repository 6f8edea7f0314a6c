import { useCard } from '../features/pay/card/use-card.tsx';
import { usePaypal } from '../features/pay/paypal/use-paypal.tsx';
import { useScan } from '../features/pay/scan/use-scan.tsx';
import type { PayMethod } from '../shop/pay-method.ts';

/**
 * Where what is paid and how it is paid meet: another way to pay is one more line here.
 * @param payBy what the shop takes in the currency; cards always
 */
export function usePayMethods(payBy: readonly string[]): [PayMethod, ...PayMethod[]] {
  const card = useCard();
  const others = [usePaypal(), useScan('promptpay'), useScan('bitcoin')];
  return [card, ...others.filter(({ method }) => payBy.includes(method))];
}
