/**
 * SQLSTATE of a database that cannot work now, whoever asks: lost or refused connections (08…), nothing left of disk,
 * memory or connections (53…), shutting down or starting (57P…), too slow (57014), a standby that takes no writing (25006).
 */
const STATES = /^(08\w{3}|53\w{3}|57P\w{2}|57014|25006)$/;
/** What the operating system says of a server that is not there. */
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** The driver's own words, which have no code. */
const WORDS =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|is not queryable|Cannot use a pool/;

/** Whether an error says that the database cannot be asked at all, as opposed to an answer of it (S71). */
export function isDatabaseGone(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return STATES.test(code) || SYSTEM.has(code) || WORDS.test(message);
}
