import { type Customer, connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { until } from '@fixpoint/testkit/buyer.ts';

/**
 * Connects with a file of which the host may not have heard yet: no person is as fast with it as a program.
 * @param patienceMs so long a refusal is taken for that
 * @throws Error with openvpn's own words, when it is anything but a refusal
 */
export const connectSoon = (
  how: Parameters<typeof connectCustomer>[0],
  patienceMs?: number,
): Promise<Customer> =>
  until(
    () =>
      connectCustomer(how).catch((error: Error) => {
        if (!error.message.includes('AUTH_FAILED')) throw error;
        return undefined;
      }),
    'a tunnel',
    patienceMs,
  );
