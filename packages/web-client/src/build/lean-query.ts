import type { Plugin } from 'vite';

/**
 * What the query library's client brings along and nothing here uses → what stands for it. Writes do not go through the
 * library (`use-action.ts`), and lists have pages.
 */
const unused: Readonly<Record<string, string>> = {
  './mutationCache.js':
    'export class MutationCache { clear() {} resumePausedMutations() { return Promise.resolve(); } }',
  './infiniteQueryBehavior.js':
    'export const infiniteQueryBehavior = undefined, hasNextPage = undefined, hasPreviousPage = undefined;',
};
const PREFIX = '\0unused:';

/** Leaves it out of the page: 1.4 kB of the first route. */
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
