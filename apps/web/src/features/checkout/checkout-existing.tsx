import { Alert } from '@fixpoint/ui/alert.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import type { ReactNode } from 'react';
import { type Offer, type Places, useOffer } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import { planName } from '../../shop/plan-name.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import type { ExistingSubscription, OrderStanding } from './order-parts.ts';
import type { OrderRecord } from './order-record.ts';
import { placeNames } from './place.ts';
import { PurchaseForm, PurchasePayment, usePurchase } from './purchase-form.tsx';

type Props = {
  existing: ExistingSubscription;
  offer: Offer;
  places: Places;
  resumed?: OrderRecord | undefined;
  standing?: OrderStanding | undefined;
  notice?: TextKey | undefined;
  payMethods: readonly [PayMethod, ...PayMethod[]];
  termsLink: ReactNode;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/**
 * Order of an existing subscription (renewal or change of plan): nothing to choose but the payment
 * method. Says what happens to the subscription.
 */
export function CheckoutExisting({ existing, offer, places, resumed, standing, ...props }: Props) {
  const t = useText();
  const { payMethods, onDraft, onSettled, notice, termsLink } = props;
  const purchase = usePurchase({
    product: useOffer(existing.id, existing.planId),
    existing,
    resumed,
    standing,
    payMethods,
    onDraft,
    onSettled: reference => {
      void refreshSubscription(existing.id);
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
      {offer.change ? <ChangeNotice offer={offer} /> : <RenewalNotice offer={offer} />}
      <Section level={2} title={t('order.payment.title')}>
        <PurchasePayment purchase={purchase} />
      </Section>
    </PurchaseForm>
  );
}

function RenewalNotice({ offer: { held } }: { offer: Offer }) {
  const t = useText();
  if (held) return <Alert type="info">{t('order.again.held', { address: held.address })}</Alert>;
  return <Alert type="warning">{t('order.again.other')}</Alert>;
}

function ChangeNotice({ offer: { product, renewsAt } }: { offer: Offer }) {
  const t = useText();
  const { date } = useFormat();
  const values = { plan: planName(product.planId), date: date(renewsAt) };
  return <Alert type="info">{t('order.change.stays', values)}</Alert>;
}
