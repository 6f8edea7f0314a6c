import { type DestinationStream, type Logger, pino } from 'pino';
import { maskPersonal, serializeError } from './log-redaction.ts';

/** A string in a line, which is JSON; numbers stay unchanged. */
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * Log lines contain no address, email, token, name or body (S82): requests are not logged, and
 * errors only by their facts. As a second defence, every text is masked.
 */
export const createLogger = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino(
    { level, base: null, serializers: { err: serializeError } },
    { write: line => to.write(line.replace(TEXT, maskPersonal)) },
  );

const nobodyReads = () => {};

/**
 * Node's own stream instead of pino's, which flushes at exit and retries for ever if nobody reads,
 * so that the process never ends.
 */
function standardOutput(): DestinationStream {
  if (!process.stdout.listeners('error').includes(nobodyReads)) process.stdout.on('error', nobodyReads);
  return { write: line => void process.stdout.write(line) };
}
