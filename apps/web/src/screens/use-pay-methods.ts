import { useCard } from '../features/pay/card/use-card.tsx';
import { usePaypal } from '../features/pay/paypal/use-paypal.tsx';
import { useScan } from '../features/pay/scan/use-scan.tsx';
import type { PayMethod } from '../shop/pay-method.ts';

/**
 * Connects orders and payment methods; a new method is one more line here.
 * @param payBy methods that the shop accepts in the currency; cards always
 * @param options `asCustomer`: whether what the customer has saved is offered
 */
export function usePayMethods(
  payBy: readonly string[],
  { asCustomer = true } = {},
): [PayMethod, ...PayMethod[]] {
  const card = useCard({ asCustomer });
  const others = [usePaypal({ asCustomer }), useScan('promptpay'), useScan('bitcoin')];
  return [card, ...others.filter(({ method }) => payBy.includes(method))];
}
