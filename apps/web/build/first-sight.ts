import { createHash } from 'node:crypto';
import { languages } from '@fixpoint/contract/languages.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { build, createServer, type InlineConfig, type Plugin } from 'vite';

const DEV_SCRIPT = '<script type="module" src="/src/early.ts"></script>';

/** A build beside the build: of its own, with nothing of the project's configuration. */
const apart: InlineConfig = { root: `${import.meta.dirname}/..`, configFile: false, logLevel: 'error' };

/**
 * Makes the page show the headline of its screen while the program is on its way: draws the first sights
 * (src/app/first-sight.tsx) into it as templates, puts `src/early.ts` before all else as a script that needs nothing,
 * and leaves it to that script to start the program.
 */
export function firstSightPlugin(): Plugin[] {
  let earlyFile = '';
  return [
    {
      name: 'fixpoint-early-script',
      apply: 'build',
      async buildStart() {
        const source = await earlyScript();
        earlyFile = `assets/early-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName: earlyFile, source });
      },
      transformIndexHtml: {
        order: 'pre',
        handler: html => html.replace(DEV_SCRIPT, `<script vite-ignore src="/${earlyFile}"></script>`),
      },
    },
    {
      name: 'fixpoint-first-sight',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        async handler(html, { path }) {
          if (path !== '/index.html') return html;
          const tags = Object.fromEntries(Object.entries(languages).map(([name, { tag }]) => [name, tag]));
          return html
            .replace('<html lang="en">', `<html lang="en" data-tags='${JSON.stringify(tags)}'>`)
            .replaceAll(
              /<script type="module" crossorigin src="([^"]+)"><\/script>/g,
              '<link rel="modulepreload" crossorigin href="$1" data-program />',
            )
            .replace('<div id="root">', `${await templates()}\n    $&`);
        },
      },
    },
  ];
}

async function earlyScript(): Promise<string> {
  const built = await build({
    ...apart,
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: `${import.meta.dirname}/../src/early.ts`, output: { format: 'iife' } },
    },
  });
  if (!('output' in built)) throw new Error('The early script was not built once.');
  return built.output[0].code;
}

/** Drawn by the kit's own components, in the style names that the program uses as well. */
async function templates(): Promise<string> {
  const vite = await createServer({
    ...apart,
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { firstSights } = (await vite.ssrLoadModule(
      '/src/app/first-sight.tsx',
    )) as typeof import('../src/app/first-sight.tsx');
    return Object.entries(firstSights)
      .map(([path, sight]) => {
        const markup = renderToStaticMarkup(sight)
          // The page's policy ignores what a document says of style; a script may say it.
          .replaceAll(' style="', ' data-style="')
          .replaceAll(/>\{([\w.]+)\}</g, ' data-text="$1"><');
        return `<template data-screen="${path}">${markup}</template>`;
      })
      .join('\n    ');
  } finally {
    await vite.close();
  }
}
