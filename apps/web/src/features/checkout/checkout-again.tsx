import type { ReactNode } from 'react';
import type { Places } from '../../shop/catalog.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Section } from '../../ui/layout.tsx';
import type { OrderRecord } from './order-record.ts';
import { placeNames } from './place.ts';
import { PurchaseForm, PurchasePayment } from './purchase-form.tsx';
import { type Again, type Standing, useAgain } from './use-checkout.ts';
import { usePurchase } from './use-purchase.ts';

type Props = {
  subscriptionId: string;
  offer: Again;
  places: Places;
  resumed?: OrderRecord | undefined;
  stands?: Standing | undefined;
  notice?: TextKey | undefined;
  payMethods: readonly [PayMethod, ...PayMethod[]];
  termsLink: ReactNode;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** A subscription that has ended is bought again: nothing is chosen but how to pay, and what becomes of its address is said. */
export function CheckoutAgain({ subscriptionId, offer, places, resumed, stands, ...props }: Props) {
  const t = useText();
  const { payMethods, onDraft, onSettled, notice, termsLink } = props;
  const purchase = usePurchase({
    product: useAgain(subscriptionId),
    again: subscriptionId,
    ...{ resumed, stands, payMethods, onDraft },
    onSettled: reference => {
      void refreshSubscription(subscriptionId);
      onSettled(reference);
    },
  });
  return (
    <PurchaseForm
      purchase={purchase}
      place={placeNames(places, offer.product)}
      termsLink={termsLink}
      notice={notice}
    >
      {offer.held ? (
        <Alert type="info">{t('order.again.held', { address: offer.held.address })}</Alert>
      ) : (
        <Alert type="warning">{t('order.again.other')}</Alert>
      )}
      <Section level={2} title={t('order.payment.title')}>
        <PurchasePayment purchase={purchase} />
      </Section>
    </PurchaseForm>
  );
}
