import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { browserPackages } from '@fixpoint/dev-stack/browser.ts';

/** One program that checks something, and how its result is counted. */
export interface Step {
  name: string;
  /** Relative to `node_modules` or the checkout; runs on Node 24. */
  command: string[];
  /** 'exit': one test. Otherwise the report of that test runner is read. */
  counts: 'exit' | 'vitest' | 'playwright';
  /** Programs that must be there → their Debian packages. */
  programs?: Record<string, string>;
  /** Programs that some of its tests need, which skip themselves without → their Debian packages. */
  offered?: Record<string, string>;
  /** Why this machine cannot run it, whatever is installed, and what to do about it. */
  obstacle?: () => string | undefined;
  /** Ending of its test files: how much is skipped when it cannot run. */
  files?: string;
  /** ms after which it hangs. */
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

/** What needs no server and no browser; these run beside each other, the longest from the beginning. */
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
  // Those that need the network of the machine skip themselves.
  offered: network,
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
 * What needs PostgreSQL, a browser or the network of the machine, for `npm test`: groups one after the other, the suites of
 * a group beside each other. Server tests and tunnels wait more than they work, and leave a core to the few of a browser.
 */
export const suites: Step[][] = [
  [suite('server'), tunnel('tunnel'), { ...suite('browser'), programs: browserPackages }],
  [journeys],
];

/** What `npm run test:all` runs on top; whatever measures is alone. */
export const soakSuites: Step[][] = [
  [suite('unit-soak', '.soak.test.ts'), suite('server-soak', '.server.soak.test.ts')],
  [tunnel('tunnel-soak', '.tunnel.soak.test.ts')],
  [tunnel('line', '.line.soak.test.ts')],
  [suite('timing')],
  [{ ...suite('bench', 'every-bench.test.ts'), programs: browserPackages }],
];
