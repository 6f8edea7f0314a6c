/*
 * Entry files. Packages export every file ("./*"), so unused exports of entry files are reported as well. `--production` only
 * looks at patterns with "!" and so finds product code that only tests use; an export that its own file uses is allowed then,
 * because it exists for a test.
 */
const production = process.argv.includes('--production');

export default {
  includeEntryExports: true,
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  // Helpers of tests, and the build of the web client, which only the Vite configuration imports.
  ignoreIssues: {
    ...(production && { '{**/testing,testkit,apps/web/build}/**': ['exports', 'types'] }),
    // Declarations of scripts that the browser runs unbundled.
    'apps/sandbox/src/browser/client/*.d.ts': ['exports', 'types'],
    // Vitest loads it by path.
    'scripts/testing/step-reporter.ts': ['exports'],
    // Stryker and its Vitest load them by path.
    'scripts/mutants/{in-order,reused-worker,share}.ts': ['exports'],
    // The build loads it by URL.
    'apps/web/src/app/prerendered-shells.tsx': ['exports'],
  },
  ignoreBinaries: [
    'age-keygen',
    'apt-get',
    'conntrack',
    'dpkg',
    'dpkg-deb',
    'ip',
    'java',
    'openssl',
    'promtool',
    'setpriv',
    'systemd-notify',
    'unshare',
    'xmllint',
  ],
  workspaces: {
    '.': {
      entry: [
        'scripts/*.{mjs,ts}!',
        'scripts/checks/*.ts!',
        'scripts/testing/{front,measure-line,step-reporter}.ts!',
        'scripts/testing/visitor.ts',
        'scripts/testing/public-front.ts',
        'scripts/mutants/{forget-change,in-order,reused-worker,share}.ts!',
        'scripts/**/*.test.ts',
      ],
      // Helpers of soak tests.
      project: [
        'scripts/**/*.{mjs,ts}!',
        '!scripts/testing/{build-release,going-live-page,guide-scene,guide-walks,install-shop,local-mirror,release-scene,set-up-findings,ssh-server,stopwatch,walk-guide,watch-tunnels}.ts!',
      ],
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
      // Their files are resolved by path.
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
      entry: ['src/app/prerendered-shells.tsx!', 'build/*.ts!', 'src/**/*.test.{ts,tsx}'],
      project: ['src/**/*.{ts,tsx}!', 'build/**/*.ts!'],
    },
    e2e: { entry: ['**/*.{spec,test}.ts', 'pictures.ts!'], project: '**/*.ts' },
    bench: { entry: '*.ts!', project: '**/*.ts!' },
  },
};
