import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, buttonClass } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { type ReactNode, useState } from 'react';
import { api } from '../../server/api.ts';
import { type Offer, type Plan, useOffer } from '../../shop/catalog.ts';
import { type ChangeNow, changeRows, restRows } from '../../shop/change-rows.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { planName } from '../../shop/plan-name.ts';
import { refreshSubscription, type SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

type Props = { subscription: SubscriptionDetail; plans: readonly Plan[] };

/** Plans that a subscription can change to, with the effect of each. */
export function PlanChooser({ subscription, plans }: Props) {
  const t = useText();
  const { money, number } = useFormat();
  const [chosen, setChosen] = useState<string>();
  const { planId: present, cycleCount, planned, renewal, allowedActions } = subscription;
  if (!allowedActions.includes('upgrade')) return <Alert type="info">{t('upgrade.notNow')}</Alert>;
  const offered = plans.flatMap(plan => {
    const price = plan.prices.find(each => each.cycleCount === cycleCount);
    return price ? [{ ...plan, price }] : [];
  });
  const agreed = planned?.planId ?? present;
  return (
    <Stack gap={8}>
      {planned && <Planned subscription={subscription} planned={planned} />}
      <RadioCards
        legend={t('order.plan.legend')}
        name="plan"
        value={chosen ?? present}
        onChange={setChosen}
        options={offered.map(({ id, devices, rateMbit, price }) => ({
          value: id,
          title: planName(id),
          beside: id === present && t('upgrade.present'),
          detail: (
            <>
              <span>{t('plans.devices', { count: devices })}</span>
              <br />
              <span>
                {t('plans.total', {
                  // The agreed price may differ from today's.
                  amount: money(id === agreed ? renewal.price : price.renewal, renewal.currency),
                  cycle: t(`plans.cycle.${cycleCount}`),
                })}
              </span>
            </>
          ),
          aside: t('subscription.rate.value', { rate: number(rateMbit) }),
        }))}
      />
      {chosen && chosen !== present && <Change subscription={subscription} planId={chosen} />}
    </Stack>
  );
}

/**
 * Notice of a planned change to a cheaper plan, which can be undone until the next period is paid.
 */
function Planned(props: {
  subscription: SubscriptionDetail;
  planned: NonNullable<SubscriptionDetail['planned']>;
}) {
  const t = useText();
  const { date } = useFormat();
  const { id } = props.subscription;
  const { planId, from, final } = props.planned;
  const undo = usePlanning(id, null);
  return (
    <Alert type="info">
      <Cluster>
        <p>{t('upgrade.planned', { plan: planName(planId), date: date(from) })}</p>
        {!final && (
          <Button busy={undo.busy} onClick={() => undo.run()}>
            {t('upgrade.planned.undo')}
          </Button>
        )}
      </Cluster>
    </Alert>
  );
}

const usePlanning = (id: string, planId: string | null) =>
  useAction(async () => {
    await api.subscription.planDowngrade({ body: { id, planId } });
    await refreshSubscription(id);
  });

function Change({ subscription, planId }: { subscription: SubscriptionDetail; planId: string }) {
  const t = useText();
  const offer = useOffer(subscription.id, planId);
  if (!offer.data?.change) {
    if (offer.error) return <LoadError error={offer.error} onRetry={offer.refetch} />;
    return <Skeleton lines={5} label={t('app.loading')} />;
  }
  const { change, product } = offer.data;
  const losses = <Losses {...change} product={product} />;
  return (
    <Section level={2} title={planName(planId)}>
      <Stack gap={6}>
        {change.now ? (
          <AtOnce subscription={subscription} offer={offer.data} now={change.now} losses={losses} />
        ) : (
          <Later subscription={subscription} offer={offer.data} begins={change.begins} losses={losses} />
        )}
      </Stack>
    </Section>
  );
}

/** Names the keys that the plan has no room for, before any agreement. */
function Losses(props: NonNullable<Offer['change']> & Pick<Offer, 'product'>) {
  const t = useText();
  const { number } = useFormat();
  const { surplusKeys, liftedLimits, closedPort, product } = props;
  const values = { plan: planName(product.planId), devices: product.devices };
  const rate = t('subscription.rate.value', { rate: number(product.rateMbit) });
  return (
    <>
      {surplusKeys.length > 0 && (
        <Alert type="warning">{t('upgrade.surplus', { ...values, keys: surplusKeys.join(', ') })}</Alert>
      )}
      {liftedLimits.length > 0 && (
        <Alert type="info">{t('upgrade.limits', { ...values, rate, keys: liftedLimits.join(', ') })}</Alert>
      )}
      {closedPort && (
        <Alert type="warning">{t('upgrade.closedPort', { ...values, port: String(closedPort) })}</Alert>
      )}
    </>
  );
}

type ChangeProps = { subscription: SubscriptionDetail; offer: Offer; losses: ReactNode };

/** Exact charges of a change that takes effect at once. */
function AtOnce({ subscription, offer, now, losses }: ChangeProps & { now: ChangeNow }) {
  const t = useText();
  const href = useHref();
  const { date, money } = useFormat();
  const { product, renewal, renewsAt, total } = offer;
  const amount = (minor: number) => money(minor, total.currency);
  const plan = planName(product.planId);
  return (
    <>
      <p>{t('order.change.stays', { plan, date: date(renewsAt) })}</p>
      <SummaryList
        rows={[
          ...changeRows(t, now, amount),
          { term: t('order.summary.due'), value: amount(total.price), strong: true },
          ...restRows(t, now, amount),
          { term: t('subscription.renewal'), value: amount(renewal) },
        ]}
      />
      {losses}
      <p>
        <a
          className={buttonClass({ variant: 'primary' })}
          href={href(`/order?change=${subscription.id}&plan=${encodeURIComponent(product.planId)}`)}
        >
          {t('upgrade.pay')}
        </a>
      </p>
    </>
  );
}

/** A cheaper plan starts when the paid period ends. */
function Later(props: ChangeProps & { begins: string }) {
  const t = useText();
  const { date, money } = useFormat();
  const { subscription, offer, losses } = props;
  const { planId } = offer.product;
  const begins = date(props.begins);
  const plan = usePlanning(subscription.id, planId);
  const { planned } = subscription;
  const amount = money(offer.total.price, offer.total.currency);
  return (
    <>
      <p>{t('upgrade.later', { plan: planName(planId), date: begins, amount })}</p>
      {losses}
      {planned?.planId !== planId && !planned?.final && (
        <p>
          <Button variant="primary" busy={plan.busy} onClick={() => plan.run()}>
            {t('upgrade.plan', { date: begins })}
          </Button>
        </p>
      )}
    </>
  );
}
