import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { browserPackages } from '@fixpoint/dev-stack/browser.ts';

/** A step of `npm test`: a program, and how its results are counted. */
export interface Step {
  name: string;
  /** Relative to `node_modules` or the checkout; runs on Node 24. */
  command: string[];
  /** 'exit': one test. Otherwise the report of that test runner is read. */
  counts: 'exit' | 'vitest' | 'playwright';
  /** Required programs → their Debian packages. */
  programs?: Record<string, string>;
  /** Programs that only some tests need, which skip themselves without them → their Debian packages. */
  optional?: Record<string, string>;
  /** Settings that only some tests need, which skip themselves without them. */
  settings?: string[];
  /** Reason why this machine cannot run the step even with all programs, with the remedy. */
  obstacle?: () => string | undefined;
  /** Suffix of its test files, to count the skipped ones. */
  files?: string;
  /** Timeout in ms. */
  limit?: number;
}

const bin = (path: string) => join('node_modules', path);
const vitest = (project: string) => [bin('vitest/vitest.mjs'), 'run', '--project', project];
const knip = [bin('knip/bin/knip.js'), '--no-config-hints'];
const tsc = bin('typescript/bin/tsc');
const network = {
  openvpn: 'openvpn',
  ip: 'iproute2',
  tc: 'iproute2',
  nft: 'nftables',
  conntrack: 'conntrack',
  ping: 'iputils-ping',
};

/** Steps without server and browser. They run in parallel, the longest first. */
export const checks: Step[] = [
  { name: 'unit', command: vitest('unit'), counts: 'vitest' },
  { name: 'format and lint', command: [bin('@biomejs/biome/bin/biome'), 'check', '.'], counts: 'exit' },
  { name: 'types', command: [tsc, '-p', 'tsconfig.json'], counts: 'exit' },
  { name: 'types of the components', command: [tsc, '-p', 'packages/ui/tsconfig.json'], counts: 'exit' },
  {
    name: 'types of calls and forms',
    command: [tsc, '-p', 'packages/web-client/tsconfig.json'],
    counts: 'exit',
  },
  { name: 'types of the web client', command: [tsc, '-p', 'apps/web/tsconfig.json'], counts: 'exit' },
  {
    name: 'types of the card fields',
    command: [tsc, '-p', 'apps/sandbox/src/browser/client/tsconfig.json'],
    counts: 'exit',
  },
  { name: 'module boundaries', command: ['scripts/checks/boundaries.ts'], counts: 'exit' },
  { name: 'source rules', command: ['scripts/checks/source.ts'], counts: 'exit' },
  { name: 'table writes', command: ['scripts/checks/table-writes.ts'], counts: 'exit' },
  { name: 'migrations', command: ['scripts/checks/migrations.ts'], counts: 'exit' },
  { name: 'citations', command: ['scripts/checks/citations.ts'], counts: 'exit' },
  { name: 'search words', command: ['scripts/checks/search-words.ts'], counts: 'exit' },
  { name: 'glossaries', command: ['scripts/checks/glossary.ts'], counts: 'exit' },
  { name: 'unused code', command: knip, counts: 'exit' },
  {
    name: 'code that only tests use',
    command: [...knip, '--production', '--include', 'files,exports,types'],
    counts: 'exit',
  },
  { name: 'generated documents', command: ['scripts/gen-docs.ts', '--check'], counts: 'exit' },
  { name: 'tables and rights', command: ['scripts/gen-tables.ts', '--check'], counts: 'exit' },
  { name: 'lock file', command: ['scripts/checks/lockfile.ts'], counts: 'exit' },
  { name: 'bill of materials', command: ['scripts/checks/bill-of-materials.ts'], counts: 'exit' },
  { name: 'licences', command: ['scripts/checks/licences.ts'], counts: 'exit' },
  { name: 'secrets', command: [bin('secretlint/bin/secretlint.js'), '**/*'], counts: 'exit' },
  { name: 'secret files', command: ['scripts/checks/secret-files.ts'], counts: 'exit' },
  { name: 'the web client as built', command: ['scripts/checks/web-size.ts'], counts: 'exit' },
];

function networkObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root (network namespaces); run: sudo npm test';
  if (!existsSync('/dev/net/tun'))
    return 'needs /dev/net/tun; run: sudo modprobe tun, or give the container --device /dev/net/tun';
  return undefined;
}

const journeys: Step = {
  name: 'journeys',
  command: [bin('@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
  counts: 'playwright',
  files: '.spec.ts',
  programs: browserPackages,
  // Journeys that need network namespaces skip themselves.
  optional: network,
};

const suite = (name: string, files = `.${name}.test.ts`): Step => ({
  name,
  command: vitest(name),
  counts: 'vitest',
  files,
});

const tunnel = (name: string, files?: string): Step => ({
  ...suite(name, files),
  programs: { ...network, systemctl: 'systemd' },
  obstacle: networkObstacle,
});

/**
 * Suites of `npm test` that need PostgreSQL, a browser or network namespaces. The suites of a group run in parallel: server
 * tests and tunnels mostly wait and leave a core to the browser tests.
 */
export const suites: Step[][] = [
  [suite('server'), tunnel('tunnel'), { ...suite('browser'), programs: browserPackages }],
  [journeys],
];

/** Further suites of `npm run test:all`; suites that measure run alone. */
export const soakSuites: Step[][] = [
  [
    {
      ...suite('unit-soak', '.soak.test.ts'),
      // What others publish and may not be distributed here (docs/contribute/release.md).
      settings: ['BTCPAY_OPENAPI', 'PAYPAL_OPENAPI', 'EN16931_XSD', 'EN16931_XSLT'],
    },
    // Without them the tests of the rules for Prometheus, of the container image and of backups skip themselves.
    {
      ...suite('server-soak', '.server.soak.test.ts'),
      optional: {
        promtool: 'prometheus',
        mmdebstrap: 'mmdebstrap',
        podman: 'podman',
        runc: 'runc',
        age: 'age',
        rsync: 'rsync',
        pg_ctlcluster: 'postgresql',
      },
    },
  ],
  [tunnel('tunnel-soak', '.tunnel.soak.test.ts')],
  [tunnel('line', '.line.soak.test.ts')],
  [suite('timing')],
  [{ ...suite('bench', 'every-bench.test.ts'), programs: browserPackages }],
];
