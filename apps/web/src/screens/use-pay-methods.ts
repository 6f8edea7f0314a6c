import { useCard } from '../features/pay/card/use-card.tsx';
import { usePaypal } from '../features/pay/paypal/use-paypal.tsx';
import { useScan } from '../features/pay/scan/use-scan.tsx';
import type { Plans } from '../shop/catalog.ts';
import type { OfferedMethod, PayMethod } from '../shop/pay-method.ts';

/**
 * Connects orders and payment methods; a new method is one more line here. What the customer has
 * saved comes first.
 * @param props `payBy`: methods that the shop accepts in the currency; cards always. `renewBy`: those
 *   that a renewal can be charged to
 * @param options `asCustomer`: whether what the customer has saved is offered
 */
export function usePayMethods(
  { payBy, renewBy }: Pick<Plans, 'payBy' | 'renewBy'>,
  { asCustomer = true } = {},
): [PayMethod, ...PayMethod[]] {
  const card = useCard({ asCustomer });
  const paypal = usePaypal({ asCustomer });
  const others = [paypal.other, useScan('promptpay'), useScan('bitcoin')];
  const accepted = ({ method }: { method: PayMethod['method'] }) => payBy.includes(method);
  const charges = (each: OfferedMethod): PayMethod => ({
    ...each,
    charged: renewBy.includes(each.method),
  });
  const [first = card.typed, ...saved] = [...card.saved, ...paypal.saved.filter(accepted)];
  const typed = first === card.typed ? [] : [card.typed];
  return [charges(first), ...[...saved, ...typed, ...others.filter(accepted)].map(charges)];
}
