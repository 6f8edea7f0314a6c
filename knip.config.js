/*
 * Where the programs begin. The packages hand out every file of theirs ("./*"), so entries of packages are looked through
 * like any other file. `--production` leaves out tests and what only they use ("!" marks what it looks at): what it finds
 * then only tests keep alive. There an export that its own file uses is no finding: it was made for a test.
 */
const production = process.argv.includes('--production');

export default {
  includeEntryExports: true,
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  // What tests share, and the web client's build, which its configuration alone knows.
  ignoreIssues: {
    ...(production && { '{**/testing,testkit,apps/web/build}/**': ['exports', 'types'] }),
    // Declarations of programs that the browser runs as they are.
    'apps/sandbox/src/browser/client/*.d.ts': ['exports', 'types'],
    // Vitest loads it by its name.
    'scripts/testing/step-reporter.ts': ['exports'],
    // So do Stryker and the Vitest that it runs.
    'scripts/mutants/{in-order,kept-worker,share}.ts': ['exports'],
    // The build renders it by its address.
    'apps/web/src/app/first-sight.tsx': ['exports'],
  },
  ignoreBinaries: ['apt-get', 'conntrack', 'dpkg-deb', 'ip', 'java', 'openssl', 'systemd-notify', 'xmllint'],
  workspaces: {
    '.': {
      entry: [
        'scripts/*.{mjs,ts}!',
        'scripts/checks/*.ts!',
        'scripts/testing/{front,measure-line,step-reporter}.ts!',
        'scripts/mutants/{forget-change,in-order,kept-worker,share}.ts!',
        'scripts/**/*.test.ts',
      ],
      project: 'scripts/**/*.{mjs,ts}!',
      ignoreDependencies: ['@biomejs/biome', '@swc/core', /secretlint/],
    },
    testkit: { entry: ['src/fixed-seed.ts', 'src/**/*.test.ts'], project: 'src/**/*.ts' },
    'packages/*': { entry: 'src/**/*.test.ts', project: ['src/**/*.{ts,tsx}!', '!src/testing/**!'] },
    'packages/web-client': {
      entry: 'src/**/*.test.ts',
      project: 'src/**/*.{ts,tsx}!',
    },
    'packages/ui': {
      entry: 'src/**/*.test.ts',
      project: 'src/**/*.{ts,tsx}!',
      ignoreDependencies: ['@fontsource/.*', '@fontsource-variable/.*', 'vite'],
    },
    'apps/api': {
      entry: ['src/{main,cli}.ts!', '{src,test}/**/*.test.ts'],
      project: ['src/**/*.ts!', 'test/**/*.ts'],
      // Their files are found by name.
      ignoreDependencies: [/^@(embedpdf|expo-google-fonts)\//],
    },
    'apps/agent': {
      entry: [
        'src/main.ts!',
        'src/no-logs/main.ts!',
        'src/probe/inside.ts!',
        'src/relay/main.ts!',
        'src/**/*.test.ts',
      ],
      project: ['src/**/*.ts!', '!src/testing/**!'],
    },
    'apps/sandbox': {
      entry: ['src/main.ts!', 'src/internet/main.ts!', 'src/**/*.test.ts'],
      project: ['src/**/*.ts!', '!src/testing/**!'],
    },
    'apps/web': {
      entry: ['src/app/first-sight.tsx!', 'build/*.ts!', 'src/**/*.test.{ts,tsx}'],
      project: ['src/**/*.{ts,tsx}!', 'build/**/*.ts!'],
    },
    e2e: { entry: ['**/*.{spec,test}.ts', 'pictures.ts!'], project: '**/*.ts' },
    bench: { entry: '*.ts!', project: '**/*.ts!' },
  },
};
