/** A renewal that is to be described. */
type Renewal = {
  /** The next payment is charged by us; else its customer pays an invoice. */
  charged: boolean;
  months: number;
  amount: string;
  /**
   * Day of the charge; for an invoice the day until which is paid. Undefined where the period has not
   * begun when the text is written.
   */
  date?: string | undefined;
};

/**
 * What is said of the renewal on every page, in every email and on every document: by charge, or by
 * an invoice where the method cannot be charged again.
 * @param t texts of the screens
 */
export function renewalSentence(
  t: (
    key: 'order.renews' | 'order.renews.undated' | 'order.renews.invoice',
    values: Record<string, string | number>,
  ) => string,
  { charged, months, amount, date }: Renewal,
): string {
  if (!charged) return t('order.renews.invoice', { amount, date: date ?? 'none' });
  const values = { cycle: months, amount };
  return date === undefined ? t('order.renews.undated', values) : t('order.renews', { ...values, date });
}
