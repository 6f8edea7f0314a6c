import { ActionBar } from '@fixpoint/ui/action-bar.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { SmallPrint } from '@fixpoint/ui/small-print.tsx';
import { IconLock } from '@fixpoint/ui/topic-icons.tsx';
import type { PricedProduct } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useOverlay } from '../../shop/overlay.ts';
import { planName } from '../../shop/plan-name.ts';
import { RefundNote } from '../../shop/refund-note.tsx';
import { useText } from '../../shop/texts.ts';

/**
 * The pay button, with the amount and the progress; below it the notes that hold for every payment.
 */
export function PayAction(props: {
  priced: PricedProduct | undefined;
  /** Part of the price covered by credit and proration. */
  covered: number | undefined;
  paying: boolean;
  /** The page is covered meanwhile. */
  covers: boolean;
  busy: boolean;
  disabled: boolean;
  /** A card is typed here: the page says who sees it. */
  byCard: boolean;
}) {
  const t = useText();
  const { money } = useFormat();
  const { priced, covered = 0, paying, covers, busy, disabled, byCard } = props;
  const amount = priced && money(priced.total.price - covered, priced.total.currency);
  // If nothing is due, the button names no amount.
  const free = priced?.total.price === covered;
  const pay = amount ? t(paying ? 'order.paying' : 'order.pay', { amount }) : t('order.pay.plain');
  const label = free ? t('order.pay.nothing') : pay;
  useOverlay(covers ? label : undefined);
  return (
    <Stack>
      <ActionBar
        note={
          priced && (
            <>
              <span>{`${planName(priced.product.planId)}, ${t(`plans.cycle.${priced.product.cycleCount}`)}`}</span>
              <strong className="tabular">{amount}</strong>
            </>
          )
        }
      >
        <Button type="submit" variant="primary" size="l" block busy={busy || paying} disabled={disabled}>
          {label}
        </Button>
      </ActionBar>
      <p role="status" className="visually-hidden">
        {paying && label}
      </p>
      {!free && byCard && <SmallPrint icon={<IconLock />}>{t('order.secure')}</SmallPrint>}
      <RefundNote isChange={priced !== undefined && 'change' in priced} />
    </Stack>
  );
}
