import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { until } from '@fixpoint/testkit/buyer.ts';

/**
 * Connects a device, and retries a refused one: a program may be faster than the host receives a new key.
 * @param timeoutMs time for retries
 * @throws Error with the output of openvpn for any other failure
 */
export const connectSoon = (
  how: Parameters<typeof connectCustomer>[0],
  timeoutMs?: number,
): Promise<Customer> =>
  until(
    () =>
      connectCustomer(how).catch((error: Error) => {
        if (!error.message.includes('AUTH_FAILED')) throw error;
        return undefined;
      }),
    'a tunnel',
    timeoutMs,
  );
