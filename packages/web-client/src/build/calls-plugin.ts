import type { Calls } from '@fixpoint/contract/endpoint.ts';
import type { Plugin } from 'vite';
import { usualPath } from '../call-path.ts';
import type { CallTable } from '../client.ts';

const NAME = 'virtual:calls';

/**
 * Provides `virtual:calls`: the client's part of an app's contract, as plain data. The contract's
 * modules import a schema library, which must stay out of the page. Most calls follow the naming
 * rule and add no line, so a new call does not make the first page heavier.
 */
export function callsPlugin(calls: Calls, constants: Record<string, string | number> = {}): Plugin {
  return {
    name: 'fixpoint-calls',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? callsModule(calls, constants) : undefined),
  };
}

/**
 * Source of the module. Lists of each call only its exceptions: an unusual path, `token`, `reads`,
 * `once`.
 */
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
