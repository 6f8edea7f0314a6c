import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useState } from 'react';
import { useLoggedIn } from '../../../server/shop-state.ts';
import { useCards } from '../../../shop/billing.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import type { PayMethod } from '../../../shop/pay-method.ts';
import { redirectToProvider } from '../../../shop/provider-redirect.ts';
import { useText } from '../../../shop/texts.ts';

/** Payment with PayPal: by a saved account, or approved on PayPal's own page. */
export function usePaypal({ asCustomer }: { asCustomer: boolean }): PayMethod {
  const t = useText();
  const loggedIn = useLoggedIn();
  const { data } = useCards(loggedIn && asCustomer);
  const [other, setOther] = useState(false);
  const accounts = (asCustomer && data?.accounts) || [];
  const saved = other ? undefined : (accounts.find(({ isDefault }) => isDefault) ?? accounts[0]);
  return {
    method: 'paypal',
    saved: saved && { accountId: saved.id },
    title: (
      <Cluster>
        <PayMark brand="paypal" />
        <span>{t('billing.method.paypal')}</span>
      </Cluster>
    ),
    declined: 'order.paypal.declined',
    missing: () => [],
    fields: () =>
      saved ? (
        <Cluster>
          <span>{saved.account}</span>
          <Button size="s" onClick={() => setOther(true)}>
            {t('order.card.change')}
          </Button>
        </Cluster>
      ) : (
        <p className="muted">{t('order.paypal.lead')}</p>
      ),
    async confirm(nextAction) {
      if (nextAction.kind === 'wait') return { kind: 'taken' };
      if (nextAction.kind !== 'redirect') throw new Error(`PayPal cannot be paid by ${nextAction.kind}`);
      return redirectToProvider(nextAction.url);
    },
  };
}
