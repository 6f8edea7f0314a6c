/** The part of the bundler's chunking context that is used here. */
type ModuleGraph = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
};

/**
 * Entry of the shop. Imports the first route: most visits begin there, and every other screen needs
 * nearly all of it.
 */
const shopEntry = '/src/main.tsx';
/** Entry of the payment page, which shares components with the shop but must not run it. */
const paymentPageEntry = '/src/features/pay/card/payment-page.tsx';
/** Imports all screens. */
const screenTable = '/src/app/screens.ts';

/**
 * Kinds of screens by their audience: first visit, marketing, checkout, log-in. All others are of
 * the account.
 */
const kinds = {
  first: /\/get-started\.tsx$/,
  story: /\/(home|what-is-vpn|not-found)\.tsx$/,
  checkout: /\/(order|success)\.tsx$/,
  login: /\/auth\//,
};
const kindOf = (screen: string): string =>
  Object.entries(kinds).find(([, files]) => files.test(screen))?.[0] ?? 'account';

/**
 * Puts modules shared by screens into one chunk per set of kinds. By default the bundler makes one
 * chunk per set of screens: the order page loaded forty files, which takes a phone 100 ms. Modules
 * of the payment page stay apart, or it would load the shop.
 */
export function sharedChunk(webFolder: string) {
  let screens: { kind: string; has: (module: string) => boolean }[] | undefined;
  let ofPaymentPage: Set<string> | undefined;
  let lazyParts: Set<string>[] | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    ofPaymentPage ??= staticImportsOf(graph, webFolder + paymentPageEntry);
    if (ofPaymentPage.has(id)) return null;
    screens ??= dynamicImportsOf(graph, webFolder + screenTable).map(screen => {
      // With the lazy parts of the screen.
      const parts = [screen, ...dynamicImportsOf(graph, screen)].map(part => staticImportsOf(graph, part));
      return { kind: kindOf(screen), has: (module: string) => parts.some(part => part.has(module)) };
    });
    // What a lazy part of the first route shares with screens is apart, or it would load all that these share.
    lazyParts ??= [...staticImportsOf(graph, webFolder + shopEntry)]
      .filter(module => /\/(features|app\/layouts)\//.test(module))
      .flatMap(module => dynamicImportsOf(graph, module))
      .map(part => staticImportsOf(graph, part));
    const users = screens.filter(screen => screen.has(id));
    const using = new Set(users.map(({ kind }) => kind));
    const lazy = lazyParts.flatMap((part, index) => (part.has(id) ? [`p${index}`] : []));
    // In single letters, because the first visit lists the files of all screens.
    const words = [...using].map(kind => kind[0]).sort();
    return users.length < 2 ? null : [...words, ...lazy].join('');
  };
}

/**
 * Bundles the first route into two chunks instead of two dozen: `base`, which the payment page
 * needs too (above all React), and `shop`. Small files compress badly and cost a round trip each
 * (budget of the first route: 95 kB).
 */
export function firstRouteChunk(webFolder: string) {
  let parts: { ofShop: Set<string>; ofPaymentPage: Set<string> } | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    parts ??= {
      ofShop: staticImportsOf(graph, webFolder + shopEntry),
      ofPaymentPage: staticImportsOf(graph, webFolder + paymentPageEntry),
    };
    if (!parts.ofShop.has(id)) return null;
    return parts.ofPaymentPage.has(id) ? 'base' : 'shop';
  };
}

const dynamicImportsOf = (graph: ModuleGraph, id: string) =>
  graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [];

/** All modules that one imports, directly or not. */
function staticImportsOf(graph: ModuleGraph, root: string) {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  visit(root);
  return found;
}
