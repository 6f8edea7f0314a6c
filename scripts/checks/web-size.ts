import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { root } from '@fixpoint/dev-stack/env.ts';

/* Checks the built web client: size of the first visit, and no secrets or sources in public files (S72). */

/** Budgets for the first visit to the first route, after brotli, without fonts and texts. */
const budgets = { js: 95_000, css: 15_000 }; // bytes
const dist = join(root, 'apps/web/dist');

if ((await buildWeb(console.log)) === 'absent') throw new Error('There is no web client to measure.');
// index.html contains the first route and names all files that it needs.
const page = await readFile(join(dist, 'index.html'), 'utf8');
const sizes = { js: 0, css: 0 };
for (const [, file = '', kind] of page.matchAll(/(?:src|href)="\/([^"]+\.(js|css))"/g)) {
  sizes[kind as 'js' | 'css'] += brotliCompressSync(await readFile(join(dist, file))).length;
}
for (const [, script = ''] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
  sizes.js += brotliCompressSync(script).length;
}
if (sizes.js === 0 || sizes.css === 0)
  throw new Error('index.html names no script or style sheet: has the build changed?');
for (const kind of ['js', 'css'] as const) {
  const line = `${kind}: ${sizes[kind]} of ${budgets[kind]} bytes (brotli), ${budgets[kind] - sizes[kind]} left`;
  if (sizes[kind] <= budgets[kind]) console.log(line);
  else {
    console.error(`${line}: over the budget`);
    process.exitCode = 1;
  }
}

/** Secrets of the server, and other content that does not belong into public files. */
const forbidden: Record<string, RegExp> = {
  'a secret key of the card provider': /\b(sk|rk)_(live|test)_/,
  'a webhook secret': /whsec_/,
  'a private key': /PRIVATE KEY-----\s*[A-Za-z0-9+/]{20}/,
  'a source map': /sourceMappingURL=/,
  'a path of the server': /\/node_modules\/|apps\/api\//,
  'the schema library (0007)': /\$Zod\w/,
  'code evaluated from strings': /\bnew Function\(|[^.\w]eval\(/,
};
const files = (await readdir(dist, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile());
for (const entry of files) {
  const path = join(entry.parentPath, entry.name).slice(dist.length + 1);
  if (/\.map$|^\.git|\.env|\.(ts|tsx|pem|key)$/.test(path)) fail(`${path} is no public file`);
  if (!/\.(js|css|html|svg|json|txt)$/.test(path) || path.startsWith('.vite/')) continue;
  const text = await readFile(join(dist, path), 'utf8');
  for (const [what, shape] of Object.entries(forbidden))
    if (shape.test(text)) fail(`${path} contains ${what}`);
}

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}
