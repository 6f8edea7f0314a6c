import type { ReactNode } from 'react';
import css from './pay-mark.module.css';

type Brand = 'visa' | 'mastercard' | 'paypal' | 'promptpay' | 'bitcoin';

const marks: Record<Brand, { name: string; drawing: ReactNode }> = {
  visa: {
    name: 'Visa',
    drawing: (
      <path d="m11 11 3.2 10L18 11M21.5 11l-1.6 10M29.4 12.2c-1.7-1.6-5-1.2-5 .9 0 2.5 5 2.2 5 4.9 0 2.4-3.7 3-5.6 1.3M32 21l4.3-10h1.2L39 21M33.4 18h5" />
    ),
  },
  mastercard: {
    name: 'Mastercard',
    drawing: <path d="M13 16a7 7 0 1 0 14 0a7 7 0 1 0-14 0M23 16a7 7 0 1 0 14 0a7 7 0 1 0-14 0" />,
  },
  paypal: {
    name: 'PayPal',
    drawing: (
      <path d="M18.5 21.5 20.6 8h5.6a4.1 4.1 0 0 1 0 8.2h-4.9M22.4 25l1.5-9M30 12.1a4.1 4.1 0 0 1-.2 8.1h-4.3L24.8 25" />
    ),
  },
  promptpay: {
    name: 'PromptPay',
    drawing: <path d="M18 9h5v5h-5zM27 9h5v5h-5zM18 18h5v5h-5zM27 18h2M32 18v2M27 21v2h5" />,
  },
  bitcoin: {
    name: 'Bitcoin',
    drawing: (
      <path d="M21.5 10v12M19.5 10h6.3a3 3 0 0 1 0 6h-4.3M25.8 16h.7a3 3 0 0 1 0 6h-7M23 7.5V10M26 7.5V10M23 22v2.5M26 22v2.5" />
    ),
  },
};

/**
 * Logo of a payment brand, in our stroke; the name is the same in every language. `named`: no
 * text beside it says the name, so that screen readers read it.
 */
export function PayMark({ brand, named }: { brand: Brand; named?: boolean }) {
  const { name, drawing } = marks[brand];
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is named or hidden
    <svg
      className={css.mark}
      viewBox="0 0 50 32"
      {...(named ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    >
      <rect x="0.75" y="0.75" width="48.5" height="30.5" rx="5" />
      {drawing}
    </svg>
  );
}
