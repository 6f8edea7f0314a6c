import type { PayingMethod } from '@fixpoint/domain/payment/amount-limits.ts';

/** Payment methods that the settings enable. Cards always are, except where the settings of the gateways are missing. */
export const enabledMethods = (settings: {
  PROMPTPAY?: boolean | undefined;
  PAYPAL_CLIENT_ID?: string | undefined;
  BTCPAY_URL?: string | undefined;
  RETIRED_METHODS?: readonly string[] | undefined;
}): PayingMethod[] => {
  const { PROMPTPAY, PAYPAL_CLIENT_ID, BTCPAY_URL, RETIRED_METHODS: retired = [] } = settings;
  const enabled: PayingMethod[] = [
    'card',
    ...(PROMPTPAY ? (['promptpay'] as const) : []),
    ...(PAYPAL_CLIENT_ID ? (['paypal'] as const) : []),
    ...(BTCPAY_URL ? (['bitcoin'] as const) : []),
  ];
  return enabled.filter(method => !retired.includes(method));
};
