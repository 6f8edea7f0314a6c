import { useLoggedIn } from '../../../server/shop-state.ts';
import { useCards } from '../../../shop/billing.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import type { OfferedMethod, PayMethod } from '../../../shop/pay-method.ts';
import { redirectToProvider } from '../../../shop/provider-redirect.ts';
import { useText } from '../../../shop/texts.ts';

/** Payment with PayPal: by each saved account, and approved on PayPal's own page. */
export function usePaypal({ asCustomer }: { asCustomer: boolean }): {
  saved: OfferedMethod[];
  other: OfferedMethod;
} {
  const t = useText();
  const loggedIn = useLoggedIn();
  const { data } = useCards(loggedIn && asCustomer);
  const accounts = (asCustomer && data?.accounts) || [];
  const common = {
    method: 'paypal',
    marks: <PayMark brand="paypal" />,
    declined: 'order.paypal.declined',
    missing: () => [],
    async confirm(nextAction) {
      if (nextAction.kind === 'wait') return { kind: 'taken' };
      if (nextAction.kind !== 'redirect') throw new Error(`PayPal cannot be paid by ${nextAction.kind}`);
      return redirectToProvider(nextAction.url);
    },
  } satisfies Partial<PayMethod>;
  return {
    saved: accounts.map(({ id, account }) => ({
      ...common,
      id,
      saved: { accountId: id },
      title: `${t('billing.method.paypal')}, ${account}`,
    })),
    other: {
      ...common,
      id: 'paypal',
      title: t('billing.method.paypal'),
      fields: () => <p className="muted">{t('order.paypal.lead')}</p>,
    },
  };
}
