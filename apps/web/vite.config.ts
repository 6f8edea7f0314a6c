import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { countryNamesPlugin } from './build/country-names.ts';
import { firstRouteChunk, sharedChunk } from './build/first-route.ts';
import { prerenderedShellsPlugin } from './build/prerendered-shells.ts';
import { webClientPlugins } from './build/web-client-plugins.ts';

/**
 * Writes a `.br` and a `.gz` sibling of every text file above 1 kB, so that the server compresses
 * nothing at run time.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // Reads the written files: the code still changes while the bundle is generated.
    async writeBundle({ dir = 'dist' }) {
      for (const fileName of await readdir(dir, { recursive: true })) {
        if (!/\.(js|css|html|svg|json)$/.test(fileName)) continue;
        const file = join(dir, fileName);
        const bytes = await readFile(file);
        if (bytes.length < 1024) continue;
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(`${file}.br`, brotliCompressSync(bytes, { params: quality }));
        await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [webClientPlugins(), countryNamesPlugin(), react(), prerenderedShellsPlugin(), precompress()],
  build: {
    target: ['chrome123', 'firefox125', 'safari17.5'],
    sourcemap: false,
    // `font-src 'self'` blocks fonts in `data:` URLs.
    assetsInlineLimit: 0,
    // All styles are one small file; separate ones cost the order page six more requests.
    cssCodeSplit: false,
    modulePreload: {
      // Only browsers older than the target need it.
      polyfill: false,
      // Every page has these files; the first visit would list them again for each screen.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter(file => !/\/(base|shop|rolldown-runtime)-/.test(file)),
    },
    rolldownOptions: {
      input: ['index.html', 'pay.html'],
      output: {
        // The first visit names a hundred files, and no hash can be compressed: 36 bits tell versions apart.
        hashCharacters: 'base36',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: firstRouteChunk(import.meta.dirname), debugName: 'first route' },
            {
              name: sharedChunk(import.meta.dirname),
              debugName: 'shared by screens',
              // Dependencies have a place of their own: more kinds may need them.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
