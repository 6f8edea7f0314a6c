import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { InPlace } from '@fixpoint/ui/in-place.tsx';
import { Flush, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { asClock, useSecondsUntil } from '@fixpoint/ui/lib/countdown.ts';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { type ReactNode, useEffect } from 'react';
import { useFormat } from '../../../shop/format.ts';
import type { PayMethod, PaymentHandle } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { usePaidAmount } from './paid-amount.ts';
import { ScanCode } from './scan-code.tsx';
import type { ScanState } from './scan-state.ts';
import { useScanPayment } from './use-scan-payment.ts';

type Method = Extract<PayMethod['method'], 'promptpay' | 'bitcoin'>;

/**
 * Replaces the order form: the code with its countdown, then the notice that the money was seen.
 */
export function ScanPay({ method, handle }: { method: Method; handle: PaymentHandle }) {
  const t = useText();
  const amountOf = usePaidAmount();
  const { shown, busy, renew, isRenewed, autoRenew } = useScanPayment(handle);
  const over = (
    <Over
      method={method}
      busy={busy}
      onRenew={() => void renew()}
      // Bitcoin renews by itself, because the rate moves; a new PromptPay code has the same amount.
      autoRenew={method === 'bitcoin' ? autoRenew : undefined}
    />
  );
  return (
    <InPlace>
      {shown.step === 'wait' ? (
        <Section level={2} title={t('order.scan.wait.title')}>
          <Loading
            label={
              shown.seen
                ? t('order.scan.wait.text', { amount: amountOf(shown.seen) })
                : t('order.processing.text')
            }
          />
        </Section>
      ) : (
        <Section level={2} title={t(`order.scan.${method}.title`)}>
          <Stack gap={6}>
            {shown.step === 'scan' ? (
              <Offer
                key={shown.nextAction.text}
                {...{ method, shown, isRenewed, over }}
                total={handle.total}
              />
            ) : (
              over
            )}
            <Flush>
              <Button variant="quiet" onClick={handle.cancel}>
                {t('order.scan.leave')}
              </Button>
            </Flush>
          </Stack>
        </Section>
      )}
    </InPlace>
  );
}

function Offer(props: {
  method: Method;
  shown: Extract<ScanState, { step: 'scan' }>;
  isRenewed: boolean;
  total: PaymentHandle['total'];
  /** Replaces it when the time is over. */
  over: ReactNode;
}) {
  const { method, shown, isRenewed, total, over } = props;
  const t = useText();
  const { money } = useFormat();
  const amountOf = usePaidAmount();
  const left = useSecondsUntil(shown.endsAt);
  const { nextAction, prepaid, gone } = shown;
  if (left === 0) return over;
  const { unit, arrived } = nextAction;
  const { price, currency } = total;
  return (
    <>
      {gone && (
        <Alert type="warning" live>
          {t('order.scan.gone')}
        </Alert>
      )}
      {arrived && (
        <Alert type="warning" live>
          {t('order.scan.part', {
            arrived: amountOf({ amount: arrived, unit }),
            missing: amountOf(nextAction),
          })}
        </Alert>
      )}
      {isRenewed && method === 'bitcoin' && (
        <Alert type="info" live>
          {t('order.scan.bitcoin.renewed')}
        </Alert>
      )}
      {prepaid && (
        <Alert type="info">
          {t('order.scan.prepaid', { amount: money(prepaid.amount, prepaid.currency) })}
        </Alert>
      )}
      <ScanCode
        method={method}
        nextAction={nextAction}
        price={unit === currency ? undefined : money(price, currency)}
      >
        <p className="tabular" role="timer">
          {t('order.scan.left', { time: asClock(left) })}
        </p>
        <p className="muted" role="status">
          {t('order.scan.waiting')}
        </p>
      </ScanCode>
    </>
  );
}

/**
 * Shown when the code has expired: money sent in time is not lost, and a new code is one click
 * away.
 */
function Over(props: {
  method: Method;
  busy: boolean;
  onRenew: () => void;
  autoRenew: (() => Promise<void>) | undefined;
}) {
  const { method, busy, onRenew, autoRenew } = props;
  const t = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per expiry
  useEffect(() => {
    if (!autoRenew) return;
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      void autoRenew();
    };
    document.addEventListener('visibilitychange', look);
    look();
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <Alert
      type="info"
      title={t(`order.scan.${method}.over`)}
      live
      action={
        <Button variant="primary" busy={busy} onClick={onRenew}>
          {t(`order.scan.${method}.renew`)}
        </Button>
      }
    >
      {t('order.scan.over')}
    </Alert>
  );
}
