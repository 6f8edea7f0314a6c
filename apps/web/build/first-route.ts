/** What a group of chunks is told about a module (the bundler's chunking context). */
type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** It imports the shop's first route: most visits begin there, and every other screen needs nearly all of it. */
const root = '/src/main.tsx';

/**
 * Puts all that the first route needs into two chunks instead of two dozen: the library that draws, and the rest. Small
 * files compress badly, each one costs a round trip, and two of a size arrive together (budget of the first route:
 * 95 kB).
 */
export function firstRouteChunk(webFolder: string) {
  let reachable: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    reachable ??= reach(graph);
    if (!reachable.has(id)) return null;
    return /\/node_modules\/(react|react-dom|scheduler)\//.test(id) ? 'react' : 'shop';
  };

  function reach(graph: ModuleGraph) {
    const found = new Set<string>();
    const visit = (id: string) => {
      if (found.has(id)) return;
      found.add(id);
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
    };
    visit(`${webFolder}${root}`);
    return found;
  }
}
