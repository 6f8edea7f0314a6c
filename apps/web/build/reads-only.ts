import type { Plugin } from 'vite';

const NAME = '\0no-writes';

/**
 * Leaves the query library's cache of writes out of the page. Nothing here writes through the library
 * (`src/shop/use-action.ts`), yet its client makes such a cache: 0.9 kB of the first route.
 */
export function readsOnly(): Plugin {
  return {
    name: 'fixpoint-reads-only',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === './mutationCache.js' && importer?.includes('/query-core/') ? NAME : undefined,
    load: id => (id === NAME ? noWrites : undefined),
  };
}

/** All that the client asks of it. */
const noWrites =
  'export class MutationCache { clear() {} resumePausedMutations() { return Promise.resolve(); } }';
