import type { Command } from './command.ts';

/**
 * The operator's commands by name. Each is loaded on demand, because loading all takes a second.
 */
export const commands: Record<string, () => Promise<Command>> = {
  alerts: async () => (await import('./alerts.ts')).alerts,
  books: async () => (await import('./books.ts')).books,
  catalogue: async () => (await import('./catalogue.ts')).catalogue,
  clock: async () => (await import('./clock.ts')).clock,
  credit: async () => (await import('./credit.ts')).credit,
  dispute: async () => (await import('./dispute.ts')).dispute,
  host: async () => (await import('./host/host.ts')).host,
  maintenance: async () => (await import('./maintenance.ts')).maintenance,
  'master-key': async () => (await import('./master-key.ts')).masterKey,
  numbers: async () => (await import('./numbers.ts')).numbers,
  payments: async () => (await import('./payments.ts')).payments,
  'prove-no-logs': async () => (await import('./no-logs/prove-no-logs.ts')).proveNoLogs,
  ready: async () => (await import('./ready.ts')).ready,
  reprice: async () => (await import('./reprice.ts')).reprice,
  refund: async () => (await import('./refund.ts')).refund,
  text: async () => (await import('./text.ts')).text,
};

/** Names of the previous version, removed with the next one. */
export const aliases = new Map([['attention', 'alerts']]);
