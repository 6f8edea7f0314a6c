/** What a group of chunks is told about a module (the bundler's chunking context). */
type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** The shop's first route: most visits begin there, and every other screen needs nearly all of it. */
const roots = ['/src/main.tsx', '/src/screens/get-started.tsx'];

/**
 * Puts all that the first route needs into two chunks instead of two dozen: libraries, and what is ours. Small files
 * compress badly and each one costs a round trip (budget of the first route: 95 kB).
 */
export function firstRouteChunk(webFolder: string) {
  let reachable: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    reachable ??= reach(graph);
    // The roots stay parts of their own: the manifest, which the size check reads, names entries by their file.
    if (!reachable.has(id) || roots.some(root => id.endsWith(root))) return null;
    return id.includes('/node_modules/') ? 'libraries' : 'shop';
  };

  function reach(graph: ModuleGraph) {
    const found = new Set<string>();
    const visit = (id: string) => {
      if (found.has(id)) return;
      found.add(id);
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
    };
    for (const root of roots) visit(`${webFolder}${root}`);
    return found;
  }
}
