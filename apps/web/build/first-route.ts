/** What a group of chunks is told about a module (the bundler's chunking context). */
type ModuleGraph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** It imports the shop's first route: most visits begin there, and every other screen needs nearly all of it. */
const shop = '/src/main.tsx';
/** The pay document, which shares the kit with the shop and must not run the shop. */
const card = '/src/features/pay/card/card-document.tsx';

/**
 * Puts all that the first route needs into two chunks instead of two dozen: what the pay document needs as well, above
 * all the library that draws, and the rest, which runs the shop. Small files compress badly, and each one costs a round
 * trip (budget of the first route: 95 kB).
 */
export function firstRouteChunk(webFolder: string) {
  let parts: { ofShop: Set<string>; ofCard: Set<string> } | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    parts ??= { ofShop: reach(graph, webFolder + shop), ofCard: reach(graph, webFolder + card) };
    if (!parts.ofShop.has(id)) return null;
    return parts.ofCard.has(id) ? 'base' : 'shop';
  };
}

/** All modules that one needs before it can run. */
function reach(graph: ModuleGraph, root: string) {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  visit(root);
  return found;
}
