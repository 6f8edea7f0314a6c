import { type DestinationStream, type Logger, pino } from 'pino';
import { maskPersonal, serializeError } from './log-redaction.ts';

/** A text of a line, which is JSON: numbers stay what they are. */
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * Log lines carry no address, e-mail, token, name or body (S82): no request is logged, and of an error only its facts. What
 * passes for an e-mail address or a card's number (S41) in any other text is masked all the same.
 */
export const createLogger = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino(
    { level, base: null, serializers: { err: serializeError } },
    { write: line => to.write(line.replace(TEXT, maskPersonal)) },
  );

const nobodyReads = () => {};

/**
 * Node's own stream, and not pino's: that one writes the rest when the process ends, and goes on trying for ever when
 * nobody reads any more, so that the process never ends.
 */
function standardOutput(): DestinationStream {
  if (!process.stdout.listeners('error').includes(nobodyReads)) process.stdout.on('error', nobodyReads);
  return { write: line => void process.stdout.write(line) };
}
