import { type DestinationStream, type Logger, pino } from 'pino';
import { createDatabaseOutage, type DatabaseOutage } from './database-outage.ts';
import { maskPersonal, serializeError } from './log-redaction.ts';

/** A string in a line, which is JSON; numbers stay unchanged. */
const TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * Log lines contain no address, email, token, name or body (S82): requests are not logged, and
 * errors only by their facts. As a second defence, every text is masked.
 */
export function createLogger(level: string, to: DestinationStream = standardOutput()): Logger {
  const write = (line: string) => to.write(line.replace(TEXT, maskPersonal));
  const outage = createDatabaseOutage(write);
  const log = pino(
    { level, base: null, serializers: { err: serializeError } },
    { write: line => void (outage.holds(line) || write(line)) },
  );
  outages.set(log, outage);
  return log;
}

const outages = new WeakMap<Logger, DatabaseOutage>();

/** What keeps a logger of {@link createLogger} quiet while the database is away. */
export const outageOf = (log: Logger): DatabaseOutage | undefined => outages.get(log);

const nobodyReads = () => {};

/**
 * Node's own stream instead of pino's, which flushes at exit and retries for ever if nobody reads,
 * so that the process never ends.
 */
function standardOutput(): DestinationStream {
  if (!process.stdout.listeners('error').includes(nobodyReads)) process.stdout.on('error', nobodyReads);
  return { write: line => void process.stdout.write(line) };
}
