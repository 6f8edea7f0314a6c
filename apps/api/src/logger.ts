import { maskCardNumbers } from '@fixpoint/contract/card-number.ts';
import { type DestinationStream, type Logger, pino } from 'pino';

/** A text of a line, which is JSON: numbers stay what they are. */
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * Log lines carry no address, e-mail, token, name or body (S82): no request is logged, and an error shows only what it
 * is and where it happened — PostgreSQL puts values of a row into `detail`, Stripe puts request data into `raw`. What passes
 * for a card's number in a message all the same is masked (S41).
 */
export const createLogger = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: {
        err: (error: Error & { code?: string; constraint?: string; requestId?: string }) => ({
          type: error.name,
          message: error.message,
          code: error.code,
          constraint: error.constraint,
          providerRequest: error.requestId,
          stack: error.stack,
        }),
      },
    },
    { write: line => to.write(line.replace(TEXT, maskCardNumbers)) },
  );

const nobodyReads = () => {};

/**
 * Node's own stream, and not pino's: that one writes the rest when the process ends, and goes on trying for ever when
 * nobody reads any more, so that the process never ends (FO14).
 */
function standardOutput(): DestinationStream {
  if (!process.stdout.listeners('error').includes(nobodyReads)) process.stdout.on('error', nobodyReads);
  return { write: line => void process.stdout.write(line) };
}
