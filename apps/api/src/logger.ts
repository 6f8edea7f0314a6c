import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * Log lines carry no address, e-mail, token, name or body (S82): no request is logged, and an error shows only what it
 * is and where it happened — PostgreSQL puts values of a row into `detail`, Stripe puts request data into `raw`.
 */
export const createLogger = (level: string, to?: DestinationStream): Logger => {
  const options = {
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
  };
  return to ? pino(options, to) : pino(options);
};
