import type { OpenPayment } from './open-payment.ts';

/** What of a payment its page shows: what to do next, and what has come for the same before. */
export const paymentView = (
  now: Date,
  open: OpenPayment,
  { prepaid, currency }: { prepaid: number; currency: string },
) => ({
  ...open,
  // Counted here: the page's own clock may be wrong.
  ...(open.payable.kind === 'scan' && { endsIn: secondsUntil(now, open.payable.expiresAt) }),
  ...(prepaid > 0 && { prepaid: { currency, amount: prepaid } }),
});

const secondsUntil = (now: Date, instant: string): number =>
  Math.max(0, Math.floor((Date.parse(instant) - now.getTime()) / 1000));
