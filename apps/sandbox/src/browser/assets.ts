import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { API_VERSION } from '../stripe/state.ts';

const read = (name: string) => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');
const MODULES = ['frame.js', 'card-fields.js', 'messages.js', 'question.js'];
/** Parts of the classic script that replaces Stripe.js, in order. */
const SCRIPT_PARTS = ['dialog.js', 'elements.js', 'stripe.js'];

/**
 * Mounts scripts and styles: `/v3/` (named by `STRIPE_JS_URL`; also under the path of the newer
 * release train) and the modules of the sandbox's own pages. Read once, so that a page load needs
 * no disk access.
 */
export function mountAssets(app: FastifyInstance, origin: () => string): void {
  // The parts are modules for editor and type checker; a page loads them as one classic script.
  const parts = SCRIPT_PARTS.map(name =>
    read(name)
      .replace(/^import .*$/gm, '')
      .replace(/^export /gm, ''),
  ).join('\n');
  const train = API_VERSION.split('.')[1];
  for (const path of ['/v3/', '/v3', `/${train}/stripe.js`]) {
    app.get(path, async (_, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('text/javascript; charset=utf-8')
        .send(
          `(() => {\n'use strict';\nconst ORIGIN = ${JSON.stringify(origin())};\nconst RELEASE_TRAIN = ${JSON.stringify(train)};\n${parts}\n})();\n`,
        ),
    );
  }
  for (const name of [...MODULES, 'page.css', 'fields.css']) {
    const text = read(name);
    app.get(`/_assets/${name}`, async (_, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .type(name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8')
        .send(text),
    );
  }
}
