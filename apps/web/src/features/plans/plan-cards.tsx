import { Badge } from '@fixpoint/ui/badge.tsx';
import { buttonClass } from '@fixpoint/ui/button.tsx';
import { CheckList } from '@fixpoint/ui/check-list.tsx';
import { Card, Grid, Stack } from '@fixpoint/ui/layout.tsx';
import { type CycleCount, monthlyOf, type Plan, type PlanPrice } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { planName } from '../../shop/plan-name.ts';
import { hasText, type TextKey, useText } from '../../shop/texts.ts';
import { PriceRow } from './price-row.tsx';

/** Plans with their price for a billing period; first-year offers are marked. */
export function PlanCards({ plans, cycleCount }: { plans: readonly Plan[]; cycleCount: CycleCount }) {
  return (
    <Grid min="13.5rem">
      {plans.map((plan, index) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          price={plan.prices.find(price => price.cycleCount === cycleCount)}
          // Only one orange card on a screen: the plan in the middle, with its reason.
          main={plans.length > 1 && index === Math.floor(plans.length / 2)}
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
      head={
        <Stack>
          <h2>
            <span>{name}</span> {main && <Badge>{t('plans.pick')}</Badge>}
          </h2>
          {hasText(`plans.for.${plan.id}`) && <p>{t(`plans.for.${plan.id}` as TextKey)}</p>}
        </Stack>
      }
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
        <Price price={price} monthly={plan.prices.find(each => each.cycleCount === 1)} />
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

/** The saving compares with the monthly price of the same plan. */
function Price({ price, monthly }: { price: PlanPrice; monthly: PlanPrice | undefined }) {
  const t = useText();
  const { money } = useFormat();
  const { currency, cycleCount } = price;
  const ofMonth = monthlyOf(price);
  const amounts = {
    amount: money(price.price, currency),
    renewal: money(price.renewal, currency),
    cycle: t(`plans.cycle.${cycleCount}`),
  };
  return (
    <PriceRow
      amount={money(ofMonth, currency)}
      per={t('plans.perMonth')}
      was={monthly && monthly.price > ofMonth ? money(monthly.price, currency) : undefined}
      wasLabel={t('plans.regularly')}
      note={t(price.firstYear ? 'plans.thenRenewal' : 'plans.total', amounts)}
    />
  );
}
