import type { Calls } from '@fixpoint/contract/endpoint.ts';
import type { Plugin } from 'vite';
import { usualPath } from '../call-path.ts';
import type { CallTable } from '../client.ts';

const NAME = 'virtual:calls';

/**
 * `virtual:calls`: what the browser needs of an app's part of the contract, as plain data. The contract's modules import a
 * schema library, which stays out of the page. Most calls are known by their names alone and take no line of it, so
 * that a further call does not make the first page heavier.
 */
export function callsPlugin(calls: Calls, constants: Record<string, string | number> = {}): Plugin {
  return {
    name: 'fixpoint-calls',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? callsModule(calls, constants) : undefined),
  };
}

/** Source of the module: of each call an unusual path, whether the answer carries `token`, whether it only reads, or is done once. */
export function callsModule(calls: Calls, constants: Record<string, string | number>): string {
  const table: CallTable = {};
  for (const [module, group] of Object.entries(calls)) {
    for (const [name, { path, token, reads, once }] of Object.entries(group)) {
      const facts = { ...(path !== usualPath(module, name) && { path }), token, reads, once };
      if (Object.values(facts).some(Boolean)) table[module] = { ...table[module], [name]: facts };
    }
  }
  return Object.entries({ calls: table, ...constants })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
