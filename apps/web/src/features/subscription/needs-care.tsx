import { FILE_ENDS_SOON_DAYS } from '@fixpoint/contract/files.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useCards } from '../../shop/billing.ts';
import { cardName } from '../../shop/card-name.ts';
import { type OpenInvoice, useDueText } from '../../shop/due-text.ts';
import { useFormat } from '../../shop/format.ts';
import { useHref } from '../../shop/links.ts';
import { isDue, type SubscriptionItem, subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { SubscriptionName } from './subscription-name.tsx';

const dueBy = ({ openInvoice }: SubscriptionItem): number => Date.parse(openInvoice?.until ?? '');

/** The subscription whose payment is due, and can be made now; of several the one that has to be paid soonest. */
export const firstDue = (subscriptions: readonly SubscriptionItem[]): SubscriptionItem | undefined =>
  subscriptions.filter(isDue).sort((a, b) => dueBy(a) - dueBy(b))[0];

const DAY_MS = 24 * 60 * 60_000;

/**
 * Warnings of coming problems: amounts past due, an expiring card, an expiring file. The first
 * amount due is the main action of the screen.
 */
export function NeedsCare({ subscriptions }: { subscriptions: readonly SubscriptionItem[] }) {
  const t = useText();
  const href = useHref();
  const { date, money } = useFormat();
  const dueText = useDueText();
  const cards = useCards().data?.cards ?? [];
  const renewing = subscriptions.filter(
    ({ status, byHand, cancelAtPeriodEnd, suspended }) =>
      status !== 'expired' && !byHand && !cancelAtPeriodEnd && !suspended,
  );
  const card = cards.find(({ isDefault }) => isDefault);
  const cardEnds =
    card && renewing.some(({ periodEnd }) => periodEnd !== undefined && Date.parse(periodEnd) >= endOf(card));
  const soon = Date.now() + FILE_ENDS_SOON_DAYS * DAY_MS;
  const amountOf = ({ amount, currency }: OpenInvoice) => money(amount, currency);
  const first = firstDue(subscriptions);
  const ofOne = (id: string) => href(`/management/subscription/${id}`);
  return (
    <Stack gap={3}>
      {subscriptions.map(one => {
        const { id, openInvoice, status, suspended, filesUntil } = one;
        const name = subscriptionName(one);
        return [
          openInvoice && (
            <Alert
              key={`${id} owed`}
              type={openInvoice.onItsWay ? 'info' : status === 'pastDue' ? 'error' : 'warning'}
              title={<SubscriptionName subscription={one} />}
              action={
                isDue(one) &&
                openInvoice && (
                  <LinkButton
                    size="s"
                    variant={one === first ? 'primary' : 'secondary'}
                    aria-label={`${t('order.pay', { amount: amountOf(openInvoice) })}, ${name}`}
                    href={`${ofOne(id)}/pay`}
                  >
                    {t('order.pay', { amount: amountOf(openInvoice) })}
                  </LinkButton>
                )
              }
            >
              {dueText(openInvoice)}
            </Alert>
          ),
          suspended && (
            <Alert key={`${id} suspended`} type="warning" title={<SubscriptionName subscription={one} />}>
              {t('subscription.suspended')}
            </Alert>
          ),
          status !== 'expired' && filesUntil && Date.parse(filesUntil) < soon && (
            <Alert
              key={`${id} file`}
              type="warning"
              title={<SubscriptionName subscription={one} />}
              action={<a href={ofOne(id)}>{t('care.file.action')}</a>}
            >
              {t('care.file', { date: date(filesUntil) })}
            </Alert>
          ),
        ];
      })}
      {card && cardEnds && (
        <Alert type="warning" action={<a href={href('/management/billing')}>{t('billing.card.replace')}</a>}>
          {t('care.card', { card: cardName(card) })}
        </Alert>
      )}
    </Stack>
  );
}

/** A card is valid until the end of its month, in any time zone near Bangkok. */
const endOf = ({ expiryYear, expiryMonth }: { expiryYear: number; expiryMonth: number }): number =>
  Date.UTC(expiryYear, expiryMonth, 1);
