/**
 * The import law: which room of the house may know which. Each comment is the sentence that a violation prints.
 * A module of the API may import the modules of the lines before its own.
 */
const moduleOrder = [
  ['catalog', 'payment', 'provisioning', 'text'],
  ['subscription', 'billing'],
  ['key', 'bandwidth', 'account'],
  ['checkout'],
  ['live'],
];

const test = '\\.test\\.tsx?$';
const modules = '^apps/api/src/modules';

const againstTheArrow = moduleOrder.slice(0, -1).map((line, index) => ({
  name: `api-order-${line[0]}`,
  comment: `${line.join(', ')} must not import a later module (${moduleOrder[index + 1].join(', ')} …): tell it by event.`,
  severity: 'error',
  from: { path: `${modules}/(${line.join('|')})/`, pathNot: test },
  to: {
    path: `${modules}/(${moduleOrder
      .slice(index + 1)
      .flat()
      .join('|')})/`,
  },
}));

export default {
  forbidden: [
    {
      name: 'contract-only-zod',
      comment: 'The contract imports only zod: everybody who speaks over a wire depends on it.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: test },
      to: { pathNot: ['^packages/contract/src/', '/zod/', '^zod$'] },
    },
    {
      name: 'domain-imports-nothing-of-ours',
      comment:
        'The rules import nothing of ours and no input or output: they do not inherit the shapes of the wire.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: test },
      to: { path: '^(packages/(?!domain/)|apps/|scripts/)|^(node:|fs|net|http|child_process)' },
    },
    {
      name: 'module-through-its-border',
      comment: 'A module of the API uses another one only through its index.ts.',
      severity: 'error',
      from: { path: `${modules}/([^/]+)/`, pathNot: test },
      to: { path: `${modules}/[^/]+/`, pathNot: [`${modules}/$1/`, `${modules}/[^/]+/index\\.ts$`] },
    },
    ...againstTheArrow,
    {
      name: 'modules-know-no-adapter',
      comment: 'Modules, ports and jobs know ports, not adapters: only compose.ts names adapters.',
      severity: 'error',
      from: {
        path: '^apps/api/src/',
        pathNot: [test, '^apps/api/src/(compose|main|cli)\\.ts$', '^apps/api/src/adapters/'],
      },
      to: { path: '^apps/api/src/adapters/' },
    },
    {
      name: 'modules-know-no-server',
      comment:
        'A module knows neither the server nor the environment: it is given a request context and answers refusals.',
      severity: 'error',
      from: { path: `${modules}/`, pathNot: test },
      to: { path: '^apps/api/src/(http/|live/|compose|main|env)' },
    },
    {
      name: 'api-only-by-wire',
      comment: 'Web, host agent and sandbox know the API by the contract, never by its code.',
      severity: 'error',
      from: { path: '^apps/(web|agent|sandbox)/', pathNot: [test, '/testing/'] },
      to: { path: '^apps/api/' },
    },
    {
      name: 'web-knows-no-rule',
      comment:
        'Nothing in the web client imports the domain: the server says what is allowed, a rule lives once.',
      severity: 'error',
      from: { path: '^apps/web/' },
      to: { path: '^packages/(domain|postgres|testkit)/' },
    },
    {
      name: 'feature-knows-no-feature',
      comment: 'A feature of the web client never imports another feature: screens compose them.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'ui-knows-no-shop',
      comment: 'The ui parts know no word of the shop: no features, no screens, no contract.',
      severity: 'error',
      from: { path: '^apps/web/src/ui/', pathNot: test },
      to: { path: '^(apps/web/src/(features|screens|app)|packages/contract)/' },
    },
    {
      name: 'features-below-screens',
      comment: 'Features and the lib of the web client know no screen.',
      severity: 'error',
      from: { path: '^apps/web/src/(features|lib)/', pathNot: test },
      to: { path: '^apps/web/src/screens/' },
    },
    {
      name: 'no-test-in-product',
      comment: 'What runs in production imports neither tests nor the test kit.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: [test, '^testkit/', '/testing/', '^apps/api/test/'],
      },
      to: { path: `${test}|^testkit/` },
    },
    {
      name: 'no-cycles',
      comment: 'No file imports itself by way of others.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'type-import'] } },
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
