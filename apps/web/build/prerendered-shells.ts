import { languages } from '@fixpoint/contract/languages.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { build, createServer, type InlineConfig, type Plugin } from 'vite';
import type * as Shells from '../src/app/prerendered-shells.tsx';

const DEV_SCRIPT = '<script type="module" src="/src/early.ts"></script>';

/** Options of the nested builds, which ignore the project's configuration. */
const nestedBuild: InlineConfig = { root: `${import.meta.dirname}/..`, configFile: false, logLevel: 'error' };

/**
 * Shows the headline of a screen while the program loads: inlines `src/early.ts`, adds the
 * prerendered shells (src/app/prerendered-shells.tsx) as templates, and leaves it to that script to
 * load the program.
 */
export function prerenderedShellsPlugin(): Plugin[] {
  const ofPage =
    (change: (html: string) => Promise<string>) =>
    (html: string, { path }: { path: string }) =>
      path === '/index.html' ? change(html) : html;
  return [
    {
      name: 'fixpoint-early-script',
      apply: 'build',
      transformIndexHtml: {
        order: 'pre',
        handler: ofPage(async html => {
          const script = `<script>${await earlyScript()}</script>`;
          return html.replace(DEV_SCRIPT, () => script);
        }),
      },
    },
    {
      name: 'fixpoint-prerendered-shells',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler: ofPage(async html => {
          const tags = Object.fromEntries(Object.entries(languages).map(([name, { tag }]) => [name, tag]));
          const shells = await templates();
          return html
            .replace('<html lang="en">', `<html lang="en" data-tags='${JSON.stringify(tags)}'>`)
            .replaceAll(
              /<script type="module" crossorigin src="([^"]+)"><\/script>/g,
              '<link data-program crossorigin href="$1" />',
            )
            .replace('<div id="root">', `${shells}\n    $&`);
        }),
      },
    },
  ];
}

async function earlyScript(): Promise<string> {
  const built = await build({
    ...nestedBuild,
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: `${import.meta.dirname}/../src/early.ts`, output: { format: 'iife' } },
    },
  });
  if (!('output' in built)) throw new Error('Expected one build of the early script.');
  return built.output[0].code.trim();
}

/** Rendered by the components themselves, with the class names of the program. */
async function templates(): Promise<string> {
  const vite = await createServer({
    ...nestedBuild,
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { prerenderedShells } = (await vite.ssrLoadModule(
      '/src/app/prerendered-shells.tsx',
    )) as typeof Shells;
    return Object.entries(prerenderedShells)
      .map(([path, shell]) => {
        const markup = renderToStaticMarkup(shell)
          // The content security policy blocks style attributes in HTML; a script may set them.
          .replaceAll(' style="', ' data-style="')
          .replaceAll(/>\{([\w.]+)\}</g, ' data-text="$1"><');
        return `<template data-screen="${path}">${markup}</template>`;
      })
      .join('\n    ');
  } finally {
    await vite.close();
  }
}
