import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, buttonClass, LinkButton } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../server/api.ts';
import { useCards } from '../../shop/billing.ts';
import { refusalFor, refusalText } from '../../shop/decline.ts';
import { defaultMethod } from '../../shop/default-method.ts';
import { type OpenInvoice as OpenInvoiceData, useDueText } from '../../shop/due-text.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref, usePath } from '../../shop/links.ts';
import { useOverlay } from '../../shop/overlay.ts';
import { declineText, forgetPaymentFailure, showPaymentFailure } from '../../shop/payment-failure.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription, type SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { renewalText } from './renewal-text.ts';
import { TurnOffDialog } from './turn-off-dialog.tsx';
import { Withdrawal } from './withdrawal.tsx';

/** State of the renewal: whether, when and for how much; with a button to turn it off or on. */
export function RenewalSection({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const href = useHref();
  const { date, money } = useFormat();
  const [asking, setAsking] = useState(false);
  const { id, periodEnd, endedAt, renewal, allowedActions, openInvoice } = subscription;
  const turnOn = useAction(async () => {
    await api.subscription.cancelSubscription({ body: { id, undo: true } });
    await refreshSubscription(id);
  });
  const may = (action: (typeof allowedActions)[number]) => allowedActions.includes(action);
  const withdrawal = subscription.withdrawal && <Withdrawal subscription={subscription} />;
  // Paid, but not set up yet.
  if (!periodEnd) return withdrawal ? <Section title={t('renewal.title')}>{withdrawal}</Section> : null;
  if (subscription.status === 'expired') {
    return (
      <Section title={t('renewal.title')}>
        <Cluster>
          <p>{t('renewal.ended', { date: date(endedAt ?? periodEnd) })}</p>
          {may('reactivate') && (
            <a className={buttonClass({ variant: 'primary' })} href={href(`/order?again=${id}`)}>
              {t('renewal.again')}
            </a>
          )}
        </Cluster>
      </Section>
    );
  }
  const amount = money(renewal.price, renewal.currency);
  const text = renewalText(subscription, periodEnd);
  return (
    <Section title={t('renewal.title')}>
      <Stack gap={4}>
        {openInvoice && (
          <OpenInvoice
            subscriptionId={id}
            invoice={openInvoice}
            pastDue={subscription.status === 'pastDue'}
          />
        )}
        <Cluster>
          <p>{t(text.key, { amount, date: date(text.at) })}</p>
          {may('cancel') && <Button onClick={() => setAsking(true)}>{t('renewal.turnOff')}</Button>}
          {may('resume') && (
            <Button variant="primary" busy={turnOn.busy} onClick={() => turnOn.run()}>
              {t('renewal.turnOn')}
            </Button>
          )}
        </Cluster>
        {withdrawal}
      </Stack>
      <TurnOffDialog
        subscription={{ id, lastDay: date(periodEnd), overdue: subscription.overdue }}
        open={asking}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}

/** An open renewal invoice: pays with one click by the default method, or another way. */
function OpenInvoice(props: { subscriptionId: string; invoice: OpenInvoiceData; pastDue: boolean }) {
  const t = useText();
  const href = useHref();
  const path = usePath();
  const navigate = useNavigate();
  const dueText = useDueText();
  const { subscriptionId, invoice } = props;
  const { data } = useCards();
  const saved = data && defaultMethod(data);
  const pays = saved?.pays;
  const [refused, setRefused] = useState<string>();
  const pay = useAction(async () => {
    setRefused(undefined);
    forgetPaymentFailure();
    const { status, failure, cause } = await api.payment.payment({
      body: { invoiceId: invoice.id, ...pays! },
    });
    if (status === 'paid') snacks.show({ type: 'success', text: t('renewal.paid') });
    else if (failure) {
      const text = cause
        ? refusalText(t, refusalFor(cause))
        : declineText(failure, pays!.paymentMethod === 'paypal' ? 'order.paypal.declined' : undefined);
      setRefused(text);
      showPaymentFailure(text);
    }
    // The bank's question needs the provider's script, on the payment screen.
    else navigate(path(`/management/subscription/${subscriptionId}/pay`));
    await refreshSubscription(subscriptionId);
  });
  const { money } = useFormat();
  useOverlay(pay.busy ? t('order.paying', { amount: money(invoice.amount, invoice.currency) }) : undefined);
  const amount = money(invoice.amount, invoice.currency);
  const payPage = href(`/management/subscription/${subscriptionId}/pay`);
  const paysAtOnce = saved && pays && invoice.stopped !== 'refused';
  return (
    <>
      <Alert type={props.pastDue && !invoice.onItsWay ? 'warning' : 'info'}>
        <Stack gap={3}>
          <p>{dueText(invoice)}</p>
          {!invoice.onItsWay && (
            <Cluster>
              {paysAtOnce ? (
                <>
                  <Button variant="primary" busy={pay.busy} onClick={() => pay.run()}>
                    {t('renewal.payNow', { amount, method: saved.name })}
                  </Button>
                  <a href={payPage}>{t('renewal.payOther')}</a>
                </>
              ) : (
                <LinkButton variant="primary" href={payPage}>
                  {t('order.pay', { amount })}
                </LinkButton>
              )}
            </Cluster>
          )}
        </Stack>
      </Alert>
      {refused && <Alert type="error">{refused}</Alert>}
      <Problem error={pay.error} />
    </>
  );
}
