/** What a group of chunks is told about a module (the bundler's chunking context). */
type ModuleGraph = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
};

/** It imports the shop's first route: most visits begin there, and every other screen needs nearly all of it. */
const shop = '/src/main.tsx';
/** The pay document, which shares the kit with the shop and must not run the shop. */
const card = '/src/features/pay/card/card-document.tsx';
/** It names all screens. */
const table = '/src/app/screens.ts';

/** Whom a screen is for: who begins, who looks, who buys, who comes in, whose account it is. */
const kinds = {
  first: /\/get-started\.tsx$/,
  story: /\/(home|what-is-vpn|not-found)\.tsx$/,
  checkout: /\/(order|success)\.tsx$/,
  auth: /\/auth\//,
};
const kindOf = (screen: string): string =>
  Object.entries(kinds).find(([, files]) => files.test(screen))?.[0] ?? 'account';

/**
 * Puts what several screens need into one chunk for each set of kinds that need it: left to itself, the bundler makes
 * one for each set of screens, and the order page asked for forty files. To ask for so many takes a phone 100 ms. What the
 * pay document needs stays apart from them: such a chunk would bring the shop into it.
 */
export function sharedChunk(webFolder: string) {
  let screens: { kind: string; has: (module: string) => boolean }[] | undefined;
  let ofCard: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    ofCard ??= reach(graph, webFolder + card);
    if (ofCard.has(id)) return null;
    screens ??= broughtBy(graph, webFolder + table).map(screen => {
      // With what the screen itself brings once it stands.
      const parts = [screen, ...broughtBy(graph, screen)].map(part => reach(graph, part));
      return { kind: kindOf(screen), has: (module: string) => parts.some(part => part.has(module)) };
    });
    const users = screens.filter(screen => screen.has(id));
    const using = new Set(users.map(({ kind }) => kind));
    return users.length < 2 ? null : [...using].sort().join('-');
  };
}

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

const broughtBy = (graph: ModuleGraph, id: string) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [];

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
