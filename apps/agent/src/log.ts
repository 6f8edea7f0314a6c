/**
 * One JSON line on standard output: an event word and plain facts about the host. Never an address of a customer, a
 * key, a token or the text of a request (spec "no logs").
 */
export type Log = (event: string, facts?: Record<string, string | number>) => void;

export const stdoutLog: Log = (event, facts) => {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`);
};

/** Machine word of a fault: its code, else its class. Messages stay out of logs, they may quote what was sent. */
export const faultWord = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};
