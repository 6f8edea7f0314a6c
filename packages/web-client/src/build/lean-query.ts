import type { Plugin } from 'vite';

/**
 * Modules of the query library that nothing here uses → their replacement. Writes do not go through
 * the library (`use-action.ts`), and lists are paginated.
 */
const unused: Readonly<Record<string, string>> = {
  './mutationCache.js':
    'export class MutationCache { clear() {} resumePausedMutations() { return Promise.resolve(); } }',
  './infiniteQueryBehavior.js':
    'export const infiniteQueryBehavior = undefined, hasNextPage = undefined, hasPreviousPage = undefined;',
};
const PREFIX = '\0unused:';

/** Leaves the unused modules out of the page. Saves 1.4 kB of the first route. */
export function leanQuery(): Plugin {
  return {
    name: 'fixpoint-lean-query',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id in unused && importer?.includes('/query-core/') ? PREFIX + id : undefined,
    load: id => (id.startsWith(PREFIX) ? unused[id.slice(PREFIX.length)] : undefined),
  };
}
