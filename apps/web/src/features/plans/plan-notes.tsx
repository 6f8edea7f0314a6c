import { CheckList } from '@fixpoint/ui/check-list.tsx';
import { Cluster, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import type { Plans } from '../../shop/catalog.ts';
import { PayMark } from '../../shop/pay-mark.tsx';
import { RefundNote } from '../../shop/refund-note.tsx';
import { useText } from '../../shop/texts.ts';

const included = ['ip', 'logs', 'keys', 'cancel'] as const;

/** Besides cards, in the order of the order page. */
const others = ['paypal', 'promptpay', 'bitcoin'] as const;

/** What a buyer gets back, what every plan includes, and the shop's payment methods. */
export function PlanNotes({ payBy }: Pick<Plans, 'payBy'>) {
  const t = useText();
  return (
    <Stack gap={12}>
      <RefundNote />
      <Grid min="18rem" gap={12}>
        <Section level={3} title={t('plans.included')}>
          <CheckList items={included.map(id => t(`plans.included.${id}`))} />
        </Section>
        <Section level={3} title={t('plans.pay')}>
          <Stack gap={2}>
            <Cluster gap={6}>
              <Cluster>
                <PayMark brand="visa" named />
                <PayMark brand="mastercard" named />
                <span>{t('plans.pay.card')}</span>
              </Cluster>
              {others
                .filter(method => payBy.includes(method))
                .map(method => (
                  <Cluster key={method}>
                    <PayMark brand={method} />
                    <span>{t(`billing.method.${method}`)}</span>
                  </Cluster>
                ))}
            </Cluster>
            <p className="muted">{t('order.payment.lead')}</p>
          </Stack>
        </Section>
      </Grid>
    </Stack>
  );
}
