import { join, relative } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { build, type Plugin } from 'rolldown';

/** Programs of the API, each a process of its own. */
const programs = {
  main: 'apps/api/src/main.ts',
  cli: 'apps/api/src/cli.ts',
  'render-process': 'apps/api/src/adapters/typst/render-process.ts',
};

/** Packages with native code, which stay packages. */
export const native = ['@node-rs/argon2', '@myriaddreamin/typst-ts-node-compiler'];

/**
 * Bundles the API with its libraries into `bundle/`. The folder around it has the layout of the checkout, so that modules find
 * the files that they read at runtime.
 * @param folder of the program
 */
export async function bundleApi(folder: string): Promise<void> {
  await build({
    cwd: root,
    input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    logLevel: 'warn',
    external: [...native, 'pg-native'],
    plugins: [asInstalled],
    output: {
      dir: join(folder, 'bundle'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    },
  });
}

/**
 * Gives each module of ours the place of its source as `import.meta.url`, its processes the names of their bundles, and the
 * operator's command the name that it has when installed.
 */
const asInstalled: Plugin = {
  name: 'as-installed',
  transform(code, id) {
    const place = relative(root, id);
    if (place.startsWith('..') || place.includes('node_modules') || !/\.tsx?$/.test(place)) return undefined;
    return code
      .replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.mjs', import.meta.here)")
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`)
      .replaceAll('import.meta.here', 'import.meta.url')
      .replaceAll('npm run shop -- ', 'fixpoint ');
  },
};
