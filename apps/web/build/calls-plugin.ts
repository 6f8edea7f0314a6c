import { calls } from '@fixpoint/contract/calls.ts';
import type { Plugin } from 'vite';

const NAME = 'virtual:calls';

/**
 * `virtual:calls`: of each call of the contract what the browser needs — method, path, who may call, and whether the
 * answer carries `token`. The contract itself imports a schema library, which stays out of the page.
 */
export function callsPlugin(): Plugin {
  return {
    name: 'fixpoint-calls',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? `export const calls = ${JSON.stringify(callTable())}` : undefined),
  };
}

export function callTable() {
  return mapValues(calls, module =>
    mapValues(module, call => [call.method, call.path, call.auth, ...('token' in call ? [true] : [])]),
  );
}

const mapValues = <T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
