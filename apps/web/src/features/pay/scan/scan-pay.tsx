import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { InPlace } from '@fixpoint/ui/in-place.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { asClock, useSecondsUntil } from '@fixpoint/ui/lib/countdown.ts';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { type ReactNode, useEffect } from 'react';
import { useFormat } from '../../../shop/format.ts';
import type { PayDesk, PayMethod } from '../../../shop/pay-method.ts';
import { useText } from '../../../shop/texts.ts';
import { usePaidSum } from './paid-sum.ts';
import { ScanCode } from './scan-code.tsx';
import type { Shown } from './shown.ts';
import { useScanPayment } from './use-scan-payment.ts';

type Method = Extract<PayMethod['method'], 'promptpay' | 'bitcoin'>;

/**
 * Replaces the order form: the code with its countdown, then the notice that the money was seen.
 */
export function ScanPay({ method, desk }: { method: Method; desk: PayDesk }) {
  const t = useText();
  const amountOf = usePaidSum();
  const { shown, busy, renew, isRenewed, renewByItself } = useScanPayment(desk);
  const over = (
    <Over
      method={method}
      busy={busy}
      onRenew={() => void renew()}
      // Bitcoin renews by itself, because the rate moves; a new PromptPay code has the same amount.
      byItself={method === 'bitcoin' ? renewByItself : undefined}
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
              <Offer key={shown.payable.text} {...{ method, shown, isRenewed, over }} total={desk.total} />
            ) : (
              over
            )}
            <Cluster>
              <Button variant="quiet" onClick={desk.leave}>
                {t('order.scan.leave')}
              </Button>
            </Cluster>
          </Stack>
        </Section>
      )}
    </InPlace>
  );
}

function Offer(props: {
  method: Method;
  shown: Extract<Shown, { step: 'scan' }>;
  isRenewed: boolean;
  total: PayDesk['total'];
  /** Replaces it when the time is over. */
  over: ReactNode;
}) {
  const { method, shown, isRenewed, total, over } = props;
  const t = useText();
  const { money } = useFormat();
  const amountOf = usePaidSum();
  const left = useSecondsUntil(shown.endsAt);
  const { payable, prepaid, gone } = shown;
  if (left === 0) return over;
  const { unit, arrived } = payable;
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
            missing: amountOf(payable),
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
        payable={payable}
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
  byItself: (() => Promise<void>) | undefined;
}) {
  const { method, busy, onRenew, byItself } = props;
  const t = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end
  useEffect(() => {
    if (!byItself) return;
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      void byItself();
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
