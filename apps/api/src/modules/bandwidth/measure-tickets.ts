import { timingSafeEqual } from 'node:crypto';
import { createMac } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';

const TICKET_MS = 30_000;

/**
 * Tickets with which a customer measures his line. Every node gives and knows them, and none remembers them.
 * @param clock of the real time
 */
export function createMeasureTickets(root: Buffer, clock: Clock) {
  const mac = createMac(root, 'tickets to measure');
  const ticket = (network: string, until: number) =>
    `${until}.${mac(`${network} ${until}`).toString('base64url')}`;
  return {
    /** @param network whose calls it is for, under its name of today (`Caller.network`) */
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
