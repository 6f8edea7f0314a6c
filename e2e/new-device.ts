import { connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { testStack } from './env.ts';

const TRIES = 3;

/**
 * Connects a device whose file was made this moment. A busy host hears of it a moment later than a test is there, which is
 * faster than any thumb: refused, it connects again, as a person would.
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
