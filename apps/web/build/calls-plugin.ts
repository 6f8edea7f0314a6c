import { calls } from '@fixpoint/contract/calls.ts';
import { ORDER_POLL_MS, SOCKET_PATH } from '@fixpoint/contract/live.ts';
import type { Plugin } from 'vite';

const NAME = 'virtual:calls';

/**
 * `virtual:calls`: what the browser needs of the contract's tables, as plain data. The modules themselves import a
 * schema library, which stays out of the page.
 */
export function callsPlugin(): Plugin {
  return {
    name: 'fixpoint-calls',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? callsModule() : undefined),
  };
}

/** Source of the module: of each call its method, path, and whether the answer carries `token`. */
export function callsModule(): string {
  const table = mapValues(calls, module =>
    mapValues(module, call => [call.method, call.path, ...('token' in call ? [true] : [])]),
  );
  const constants = { calls: table, SOCKET_PATH, ORDER_POLL_MS };
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}

const mapValues = <T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
