import type { CycleCount, Plan, PlanPrice } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { useText } from '../../shop/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { Card, Grid, Stack } from '../../ui/layout.tsx';
import { PriceRow } from '../../ui/price-row.tsx';

/** The plans with their price for a billing period, first-year offers named as such. */
export function PlanCards({ plans, cycleCount }: { plans: readonly Plan[]; cycleCount: CycleCount }) {
  return (
    <Grid min="13.5rem">
      {plans.map((plan, index) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          price={plan.prices.find(price => price.cycleCount === cycleCount)}
          // One orange thing on a screen: the plan in the middle.
          main={index === Math.floor(plans.length / 2)}
        />
      ))}
    </Grid>
  );
}

function PlanCard({ plan, price, main }: { plan: Plan; price: PlanPrice | undefined; main: boolean }) {
  const t = useText();
  const href = useHref();
  const { number } = useFormat();
  if (!price) return null;
  const name = planName(plan.id);
  return (
    <Card
      as="article"
      tone={main ? 'accent' : 'plain'}
      footer={
        <a
          className={buttonClass({ variant: main ? 'primary' : 'secondary', block: true })}
          href={href(`/order?plan=${encodeURIComponent(plan.id)}&cycle=${price.cycleCount}`)}
        >
          {t('plans.choose', { plan: name })}
        </a>
      }
    >
      <Stack>
        <h2>
          {name} {price.firstYear && <Badge>{t('plans.firstYear')}</Badge>}
        </h2>
        <Price price={price} />
        <CheckList
          items={[
            t('plans.ip'),
            t('plans.devicesPlain', { count: number(plan.devices) }),
            t('plans.rate', { rate: number(plan.rateMbit) }),
            t('plans.data', { amount: number(plan.dataTransferGb) }),
          ]}
        />
      </Stack>
    </Card>
  );
}

function Price({ price }: { price: PlanPrice }) {
  const t = useText();
  const { money } = useFormat();
  const { currency, cycleCount } = price;
  const monthly = (minor: number) => money(Math.round(minor / cycleCount), currency);
  const amounts = {
    amount: money(price.price, currency),
    renewal: money(price.renewal, currency),
    cycle: t(`plans.cycle.${cycleCount}`),
  };
  return (
    <PriceRow
      amount={monthly(price.price)}
      per={t('plans.perMonth')}
      was={price.firstYear ? monthly(price.renewal) : undefined}
      wasLabel={t('plans.regularly')}
      note={t(price.firstYear ? 'plans.thenRenewal' : 'plans.total', amounts)}
    />
  );
}
