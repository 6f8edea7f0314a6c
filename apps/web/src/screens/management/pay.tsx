import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { PaidInvoiceFacts } from '../../features/checkout/paid-invoice-facts.tsx';
import { PayInvoice } from '../../features/checkout/pay-invoice.tsx';
import { SubscriptionName } from '../../features/subscription/subscription-name.tsx';
import { type Plans, usePlansIn } from '../../shop/catalog.ts';
import { type OpenInvoice, useDueText } from '../../shop/due-text.ts';
import { useFormat } from '../../shop/format.ts';
import { ownInvoice } from '../../shop/invoice-calls.ts';
import { Redirect, useHref, usePath } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { planName } from '../../shop/plan-name.ts';
import type { ReturnState } from '../../shop/provider-redirect.ts';
import { useScreenTitle } from '../../shop/screen-title.ts';
import { snacks } from '../../shop/snack.ts';
import {
  refreshSubscription,
  type SubscriptionDetail,
  subscriptionName,
  useSubscription,
} from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { usePayMethods } from '../use-pay-methods.ts';

/**
 * Pays the open renewal invoice of a subscription: by another card, PayPal, PromptPay or bitcoin.
 */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { id = '' } = useParams();
  const subscription = useSubscription(id);
  const { data } = subscription;
  useScreenTitle(data && `${t('order.payment.title')}, ${subscriptionName(data)}`);
  const plans = usePlansIn(data?.openInvoice?.currency);
  const failed = [subscription, plans].find(query => query.error);
  const back = (useLocation().state as ReturnState)?.back;
  const [dueSince, setDueSince] = useState<string>();
  if (data?.openInvoice && dueSince !== data.periodEnd) setDueSince(data.periodEnd);
  // Cached data may be older than the email or invoice that led here.
  useEffect(() => void refreshSubscription(id), [id]);
  const known = dueSince !== undefined || (subscription.isFetchedAfterMount && !subscription.error);
  if (data && !data.openInvoice && known) {
    // The invoice may be void, because the customer turned the renewal off in another tab.
    const paid = dueSince === undefined ? back === 'agreed' : dueSince !== data.periodEnd;
    return <Over id={id} paid={paid} ended={data.status === 'expired'} />;
  }
  return (
    <Page width="text">
      <Stack gap={2}>
        <BackLink href={href(`/management/subscription/${id}`)}>
          <SubscriptionName subscription={data} />
        </BackLink>
        <Section level={1} title={t('order.payment.title')}>
          {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
          {!failed && !(data?.openInvoice && plans.data) && <Skeleton lines={6} label={t('app.loading')} />}
          {data?.openInvoice && plans.data && (
            <Pay
              key={data.openInvoice.id}
              subscription={data}
              invoice={data.openInvoice}
              plans={plans.data}
              agreed={back === 'agreed'}
            />
          )}
        </Section>
      </Stack>
    </Page>
  );
}

/**
 * Redirects when nothing is due any more; the page of an ended subscription says so itself.
 * @param props `paid`: while this page was open or the customer was at the provider, not before
 */
function Over({ id, paid, ended }: { id: string; paid: boolean; ended: boolean }) {
  const t = useText();
  const path = usePath();
  useEffect(() => {
    if (ended) return;
    if (paid) snacks.show({ type: 'success', text: t('renewal.paid') });
    else snacks.show({ type: 'info', text: t('renewal.nothingOwed') });
  }, [paid, ended, t]);
  return <Redirect to={path(`/management/subscription/${id}`)} />;
}

function Pay(props: {
  subscription: SubscriptionDetail;
  invoice: OpenInvoice;
  plans: Plans;
  agreed: boolean;
}) {
  const { subscription, invoice, plans, agreed } = props;
  const { money } = useFormat();
  const dueText = useDueText();
  const { id, planId, address } = subscription;
  return (
    <PayInvoice
      invoice={invoice}
      calls={ownInvoice(invoice.id)}
      last={invoice.lastMethod}
      payMethods={usePayMethods(plans)}
      agreed={agreed}
      onOver={() => refreshSubscription(id)}
    >
      <PaidInvoiceFacts
        reference={invoice.reference}
        period={invoice.period}
        amount={money(invoice.amount, invoice.currency)}
        subscription={{ plan: planName(planId), address: address ?? '–' }}
      />
      <p>{dueText(invoice)}</p>
    </PayInvoice>
  );
}
