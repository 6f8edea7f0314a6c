import { timingSafeEqual } from 'node:crypto';
import { createMac } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';

const TICKET_MS = 30_000;

/**
 * Signed tickets for speed tests. Every node issues and verifies them without storing any.
 * @param clock system clock
 */
export function createMeasureTickets(root: Buffer, clock: Clock) {
  const mac = createMac(root, 'tickets to measure');
  const ticket = (network: string, until: number) =>
    `${until}.${mac(`${network} ${until}`).toString('base64url')}`;
  return {
    /** @param network pseudonym of the network that may use the ticket (`Caller.network`) */
    give: (network: string): string => ticket(network, clock.now().getTime() + TICKET_MS),
    fits(network: string, given: string): boolean {
      const until = Number(given.split('.')[0]);
      const [shown, wanted] = [Buffer.from(given), Buffer.from(ticket(network, until))];
      const fits = shown.length === wanted.length && timingSafeEqual(shown, wanted);
      return fits && until > clock.now().getTime();
    },
  };
}

export type MeasureTickets = ReturnType<typeof createMeasureTickets>;
