import { useCards } from '../../shop/billing.ts';
import { brandName } from '../../shop/card-name.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { support } from '../../shop/support.ts';
import { useText } from '../../shop/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cluster, Section, Stack } from '../../ui/layout.tsx';
import { PayMark } from '../../ui/pay-mark.tsx';
import { Skeleton } from '../../ui/progress.tsx';

const isDrawn = (brand: string) => brand === 'visa' || brand === 'mastercard';

/** The saved cards, who keeps them, and how to have them changed. */
export function PaymentMethods() {
  const t = useText();
  const { email } = support();
  const { data, error, isPending, refetch } = useCards();
  return (
    <Section title={t('billing.methods')} lead={t('billing.methods.text')}>
      {error && <LoadError error={error} onRetry={refetch} />}
      {isPending && <Skeleton lines={2} label={t('app.loading')} />}
      {data?.cards.length === 0 && <p>{t('billing.card.none')}</p>}
      {data && data.cards.length > 0 && (
        <Stack>
          {data.cards.map(card => (
            <Cluster key={card.id}>
              {isDrawn(card.brand) && <PayMark brand={card.brand} />}
              <span>
                {!isDrawn(card.brand) && brandName(card.brand)}{' '}
                <span className="mono">•••• {card.last4}</span>
              </span>
              <span className="muted">
                {t('billing.card.until', {
                  date: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
                })}
              </span>
              {card.isDefault && <Badge>{t('billing.card.default')}</Badge>}
            </Cluster>
          ))}
          <p className="muted">{t('billing.methods.change', { email })}</p>
        </Stack>
      )}
    </Section>
  );
}
