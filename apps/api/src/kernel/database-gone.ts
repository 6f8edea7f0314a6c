/**
 * SQLSTATEs of a database that cannot work: lost or refused connections (08…), no disk, memory or
 * connections left (53…), shutting down or starting (57P…), timeout (57014), a read-only standby
 * (25006).
 */
const STATES = /^(08\w{3}|53\w{3}|57P\w{2}|57014|25006)$/;
/** Error codes of the operating system for a server that is gone. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** Messages of the driver, which have no code. */
const WORDS =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|is not queryable|Cannot use a pool/;

/** Whether an error means that the database is unreachable, as opposed to an answer of it (S71). */
export function isDatabaseGone(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return STATES.test(code) || SYSTEM.has(code) || WORDS.test(message);
}
