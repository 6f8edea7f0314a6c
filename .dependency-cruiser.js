/**
 * Module boundaries. A violation prints the comment of its rule. Each pattern of a list must match a file
 * (scripts/checks/boundary-rules.ts), so that a rule does not outlive a moved folder. A module of the API may import the
 * modules of the lines before its own.
 */
const moduleOrder = [
  ['alert', 'audit', 'block'],
  ['catalog', 'provisioning', 'text', 'billing', 'books'],
  ['payment', 'subscription'],
  ['key', 'bandwidth', 'account'],
  ['team'],
  ['checkout'],
  ['email', 'document'],
  ['live'],
  ['staff', 'backup'],
];

const test = '\\.test\\.tsx?$';
/** Tests and their helpers beside the code. */
const testCode = [test, '/testing/', '^apps/api/test/'];
const modules = '^apps/api/src/modules';

const below = (folder, names) => names.map(name => `${folder}/${name}/`);
const web = (...names) => below('^apps/web/src', names);

const againstTheArrow = moduleOrder
  .map((line, index) => ({ line, later: moduleOrder.slice(index).flat() }))
  // The last module has no later one.
  .filter(({ later }) => later.length > 1)
  .map(({ line, later }) => ({
    name: `api-order-${line[0]}`,
    comment: `${line.join(', ')} must import neither each other nor a later module: publish an event, or let compose/ inject it.`,
    severity: 'error',
    from: { path: `${modules}/(${line.join('|')})/`, pathNot: test },
    to: { path: below(modules, later), pathNot: `${modules}/$1/` },
  }));

/** For modules with sub-folders: $1 is the importing module, $2 its importing sub-folder or file. */
export const subFolderBorder = {
  name: 'sub-folder-through-its-border',
  comment: 'Inside a module of the API, its sub-folders are entered by their index.ts only.',
  severity: 'error',
  from: { path: `${modules}/([^/]+)/([^/]+)`, pathNot: test },
  to: {
    path: `${modules}/$1/[^/]+/`,
    pathNot: [`${modules}/$1/$2/`, `${modules}/$1/[^/]+/index\\.ts$`],
  },
};

export default {
  forbidden: [
    {
      name: 'contract-only-zod',
      comment: 'The contract imports only zod: every program on a wire depends on it.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: test },
      to: { pathNot: ['^packages/contract/src/', '/zod/'] },
    },
    {
      name: 'domain-imports-nothing',
      comment: 'The domain imports nothing but itself: no I/O and no wire format.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: test },
      to: { pathNot: '^packages/domain/src/' },
    },
    {
      name: 'module-through-its-border',
      comment: 'A module of the API uses another one only through its index.ts.',
      severity: 'error',
      from: { path: `${modules}/([^/]+)/`, pathNot: test },
      to: { path: `${modules}/[^/]+/`, pathNot: [`${modules}/$1/`, `${modules}/[^/]+/index\\.ts$`] },
    },
    subFolderBorder,
    ...againstTheArrow,
    {
      name: 'module-has-a-place',
      comment: 'Every module of the API has its place in the order of modules.',
      severity: 'error',
      from: {},
      to: { path: `${modules}/[^/]+/`, pathNot: below(modules, moduleOrder.flat()) },
    },
    {
      name: 'modules-know-no-adapter',
      comment:
        'Modules, ports and jobs know ports, not adapters: only compose/ and the operator’s commands (cli.ts, cli/) name adapters.',
      severity: 'error',
      from: {
        path: '^apps/api/src/',
        pathNot: [
          test,
          '^apps/api/src/cli\\.ts$',
          ...below('^apps/api/src', ['compose', 'cli', 'adapters', 'database']),
        ],
      },
      to: { path: '^apps/api/src/(adapters/|database/(?!(batcher|contact|prepared-queries|paging)\\.ts$))' },
    },
    {
      name: 'kernel-below-all',
      comment:
        'kernel, crypto and log are below all other parts of the API: of ours they import only one another, ports and packages.',
      severity: 'error',
      from: { path: '^apps/api/src/(kernel|crypto|log)/', pathNot: test },
      to: { path: '^apps/(?!api/src/(kernel|crypto|log|ports)/)' },
    },
    {
      name: 'modules-know-no-server',
      comment:
        'A module knows neither the server nor the environment: it receives a request context and returns refusals.',
      severity: 'error',
      from: { path: `${modules}/`, pathNot: test },
      to: { path: ['http/', 'compose/', 'main\\.ts$', 'env/'].map(name => `^apps/api/src/${name}`) },
    },
    {
      name: 'modules-know-nothing-of-http',
      comment:
        'A module knows nothing of HTTP: http/ calls it for calls, webhooks and hosts. Only live is a wire itself.',
      severity: 'error',
      from: { path: `${modules}/(?!live/)`, pathNot: test },
      to: { path: '(^|/)fastify|^(node:)?https?2?$' },
    },
    {
      name: 'http-knows-no-module',
      comment: 'http/ imports no module: compose/ injects what it calls.',
      severity: 'error',
      from: { path: '^apps/api/src/http/', pathNot: test },
      to: { path: `${modules}/` },
    },
    {
      name: 'api-only-by-wire',
      comment: 'Web client, host agent and sandbox know the API by the contract, never by its code.',
      severity: 'error',
      from: { path: below('^apps', ['web', 'agent', 'sandbox']), pathNot: [test, '/testing/'] },
      to: { path: '^apps/api/' },
    },
    {
      name: 'web-knows-no-rule',
      comment:
        'Nothing in the web client imports the domain: the server says what is allowed, a rule lives once.',
      severity: 'error',
      from: { path: '^apps/web/' },
      to: { path: below('^packages', ['domain', 'postgres']) },
    },
    {
      name: 'web-imports-no-app',
      comment: 'The shop (apps/web) imports no other app: shared code lies in a package.',
      severity: 'error',
      from: { path: '^apps/web/', pathNot: test },
      to: { path: '^apps/(?!web/)' },
    },
    {
      name: 'feature-knows-no-feature',
      comment: 'A feature of the web client never imports another feature: screens compose them.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'ui-imports-nothing-of-ours',
      comment:
        'The components and helpers of packages/ui serve every app: texts come in as props, so they import nothing of ours.',
      severity: 'error',
      from: { path: '^packages/ui/src/', pathNot: test },
      to: { path: '^(packages/(?!ui/)|apps/)|^node:' },
    },
    {
      name: 'web-client-serves-every-app',
      comment:
        'packages/web-client serves every app: of ours it imports contract and ui; texts, snacks and calls are handed in.',
      severity: 'error',
      from: { path: '^packages/web-client/src/', pathNot: test },
      to: { path: '^(packages/(?!(web-client|contract|ui)/)|apps/)|^node:' },
    },
    {
      name: 'web-routing-knows-no-shop',
      comment: 'Every part of the web client uses routing: of the web client it imports nothing but itself.',
      severity: 'error',
      from: { path: '^apps/web/src/routing/', pathNot: test },
      to: { path: '^apps/web/src/(?!routing/)' },
    },
    {
      name: 'web-server-shows-nothing',
      comment:
        'The client of the API (server) has no text and renders nothing: of the web client it imports only routing.',
      severity: 'error',
      from: { path: '^apps/web/src/server/', pathNot: test },
      to: { path: '^apps/web/src/', pathNot: web('server', 'routing') },
    },
    {
      name: 'web-shop-below-forms',
      comment:
        'The concepts of the shop (shop) import only routing and server of the web client; forms use them.',
      severity: 'error',
      from: { path: '^apps/web/src/shop/', pathNot: test },
      to: { path: '^apps/web/src/', pathNot: web('shop', 'server', 'routing') },
    },
    {
      name: 'web-forms-below-features',
      comment: 'The parts of forms (forms) import no features and no screens.',
      severity: 'error',
      from: { path: '^apps/web/src/forms/', pathNot: test },
      to: { path: web('features', 'screens', 'app') },
    },
    {
      name: 'features-below-screens',
      comment: 'A feature of the web client imports no screen and nothing of the application frame (app).',
      severity: 'error',
      from: { path: '^apps/web/src/features/', pathNot: test },
      to: { path: web('screens', 'app') },
    },
    {
      name: 'no-test-in-product',
      comment: 'Apps and packages import no test, and neither testkit, e2e nor bench: those are not shipped.',
      severity: 'error',
      from: { path: ['^apps/', '^packages/'], pathNot: testCode },
      to: { path: [test, '^testkit/', '^e2e/', '^bench/'] },
    },
    {
      name: 'no-dev-stack-in-product',
      comment:
        'packages/dev-stack starts the shop for scripts, tests and benchmarks: no app and no other package imports it.',
      severity: 'error',
      from: { path: ['^apps/', '^packages/'], pathNot: [...testCode, '^packages/dev-stack/'] },
      to: { path: '^packages/dev-stack/' },
    },
    {
      name: 'no-sandbox-in-product',
      comment: 'The sandbox (apps/sandbox) is not shipped: of apps and packages only dev-stack imports it.',
      severity: 'error',
      from: {
        path: ['^apps/', '^packages/'],
        pathNot: [...testCode, '^packages/dev-stack/', '^apps/sandbox/'],
      },
      to: { path: '^apps/sandbox/' },
    },
    {
      name: 'nothing-imports-scripts',
      comment:
        'Scripts may import everything and nothing imports them: shared code lies in packages/dev-stack.',
      severity: 'error',
      from: { pathNot: '^scripts/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'audit-imports-nothing',
      comment: 'The audit of the two years shares no code with what it recomputes.',
      severity: 'error',
      from: { path: '^apps/api/test/soak/two-years/audit/' },
      to: { pathNot: ['^apps/api/test/soak/two-years/audit/', '/kysely/'] },
    },
    {
      name: 'no-cycles',
      comment: 'No import cycles, not even of types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^apps/[^/]+/(dist|\\.cache|node_modules)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
