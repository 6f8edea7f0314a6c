/**
 * Writes one JSON line to standard output: an event word and facts about the host. Never an address
 * of a customer, a key, a token or request content.
 */
export type Log = (event: string, facts?: Record<string, string | number>) => void;

export const stdoutLog: Log = (event, facts) => {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`);
};

/**
 * Returns an error's code, else its class. Messages are not logged: they may quote request content.
 */
export const faultWord = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};
