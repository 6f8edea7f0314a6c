import type { CallFacts } from 'virtual:calls';
import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { ORDER_POLL_MS, SOCKET_PATH } from '@fixpoint/contract/live.ts';
import type { Plugin } from 'vite';
import { usualPath } from '../src/server/call-path.ts';

const NAME = 'virtual:calls';

/**
 * `virtual:calls`: what the browser needs of the contract's tables, as plain data. The modules themselves import a
 * schema library, which stays out of the page. Most calls are known by their names alone and take no line of it, so
 * that a further call does not make the first page heavier.
 */
export function callsPlugin(): Plugin {
  return {
    name: 'fixpoint-calls',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? callsModule() : undefined),
  };
}

/** Source of the module: of each call an unusual path, whether the answer carries `token`, whether it only reads, or is done once. */
export function callsModule(): string {
  const table: Record<string, Record<string, CallFacts>> = {};
  for (const [module, group] of Object.entries<Record<string, Endpoint>>(calls)) {
    for (const [name, { path, token, reads, once }] of Object.entries(group)) {
      const facts = { ...(path !== usualPath(module, name) && { path }), token, reads, once };
      if (Object.values(facts).some(Boolean)) table[module] = { ...table[module], [name]: facts };
    }
  }
  const constants = { calls: table, SOCKET_PATH, ORDER_POLL_MS };
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
