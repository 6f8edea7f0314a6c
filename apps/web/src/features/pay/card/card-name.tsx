import { Cluster } from '@fixpoint/ui/layout.tsx';
import { brandName } from '../../../shop/card-name.ts';
import { PayMark } from '../../../shop/pay-mark.tsx';
import { useText } from '../../../shop/texts.ts';

type Known = {
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  holder?: string | undefined;
};

const isDrawn = (brand: string) => brand === 'visa' || brand === 'mastercard';

/** A saved card, as its owner recognises it. */
export function CardName({ card }: { card: Known }) {
  const t = useText();
  return (
    <Cluster>
      {isDrawn(card.brand) && <PayMark brand={card.brand} named />}
      <span>
        {!isDrawn(card.brand) && <span>{brandName(card.brand)}</span>}{' '}
        <span className="mono" translate="no">{`•••• ${card.last4}`}</span>
      </span>
      {card.holder && <span>{card.holder}</span>}
      <span className="muted">
        {t('billing.card.until', {
          date: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
        })}
      </span>
    </Cluster>
  );
}
