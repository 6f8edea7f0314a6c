import { timingSafeEqual } from 'node:crypto';
import type { ExportFormat } from '@fixpoint/contract/invoice-export.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import { createMac } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';

const TICKET_MS = 60_000;

export type Export = { customerId: string; year: number; format: ExportFormat; language: Language };

/**
 * Signed tickets for one download each, so that the browser itself can save a stream. Every node
 * issues and verifies them without storing any.
 * @param clock system clock
 */
export function createExportTickets(root: Buffer, clock: Clock) {
  const mac = createMac(root, 'tickets for exports');
  const sign = (network: string, content: string) =>
    `${content}.${mac(`${network} ${content}`).toString('base64url')}`;
  return {
    /** @param network pseudonym of the network that may use the ticket (`Caller.network`) */
    give: (network: string, wanted: Export): string =>
      sign(
        network,
        Buffer.from(JSON.stringify([clock.now().getTime() + TICKET_MS, wanted])).toString('base64url'),
      ),
    /** @returns undefined for a ticket that is not ours, has expired or belongs to another network */
    read(network: string, given: string): Export | undefined {
      const [content = ''] = given.split('.');
      const [shown, expected] = [Buffer.from(given), Buffer.from(sign(network, content))];
      if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return undefined;
      const [until, wanted] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [number, Export];
      return until > clock.now().getTime() ? wanted : undefined;
    },
  };
}

export type ExportTickets = ReturnType<typeof createExportTickets>;
