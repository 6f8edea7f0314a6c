import { Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { PayInvoice } from '../../features/checkout/pay-invoice.tsx';
import type { CameBack } from '../../shop/away.ts';
import { type Plans, usePlans } from '../../shop/catalog.ts';
import { useHref, usePath } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { snacks } from '../../shop/snack.ts';
import {
  refreshSubscription,
  type SubscriptionDetail,
  subscriptionName,
  useSubscription,
} from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Page, Section, Stack } from '../../ui/layout.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { usePayMethods } from '../use-pay-methods.ts';

/** The renewal of a subscription is paid by its customer's own hand: another card, PayPal, PromptPay or bitcoin. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const path = usePath();
  const { id = '' } = useParams();
  const subscription = useSubscription(id);
  const plans = usePlans();
  const failed = [subscription, plans].find(query => query.error);
  const { data } = subscription;
  // Paid meanwhile, here or elsewhere.
  if (data && !data.openInvoice) return <Navigate to={path(`/management/subscription/${id}`)} replace />;
  return (
    <Page width="text">
      <Stack gap={2}>
        <BackLink href={href(`/management/subscription/${id}`)}>
          {data ? subscriptionName(data) : t('subscription.title')}
        </BackLink>
        <Section level={1} title={t('order.payment.title')}>
          {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
          {!failed && !(data && plans.data) && <Skeleton lines={6} label={t('app.loading')} />}
          {data?.openInvoice && plans.data && <Pay id={id} invoice={data.openInvoice} plans={plans.data} />}
        </Section>
      </Stack>
    </Page>
  );
}

function Pay(props: { id: string; invoice: NonNullable<SubscriptionDetail['openInvoice']>; plans: Plans }) {
  const { id, invoice, plans } = props;
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  const back = (useLocation().state as CameBack)?.back;
  return (
    <PayInvoice
      invoice={invoice}
      payMethods={usePayMethods(plans.payBy)}
      agreed={back === 'agreed'}
      onOver={async () => {
        await refreshSubscription(id);
        snacks.show({ type: 'success', text: t('renewal.paid') });
        navigate(path(`/management/subscription/${id}`), { replace: true });
      }}
    />
  );
}
