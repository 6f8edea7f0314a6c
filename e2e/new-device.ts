import { connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { testStack } from './env.ts';

const TRIES = 3;

/**
 * Connects a device right after its file was created. A busy host receives the new key a moment later than the test
 * connects, so a refused connection is retried.
 */
export async function connectNewDevice(profile: string): ReturnType<typeof connectCustomer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connectCustomer({ region: { id: testStack().regionId! }, profile });
    } catch (error) {
      if (tries === TRIES || !String(error).includes('AUTH_FAILED')) throw error;
    }
  }
}
