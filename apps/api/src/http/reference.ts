import type { Calls } from '@fixpoint/contract/endpoint.ts';
import { errors } from '@fixpoint/contract/errors.ts';
import { escaped } from '@fixpoint/texts/markup.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { plainPage, plainStyle } from './html.ts';
import { sendPublic } from './public-answer.ts';

const schemaText = (schema: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return escaped(JSON.stringify(json, null, 2));
};

/**
 * The API reference at `/docs` and as `/openapi.json`, not served by a shop that sells (S72).
 * `npm run gen` writes the same to `docs/generated/openapi.json`.
 */
export function serveReference(app: FastifyInstance, calls: Calls): void {
  const hidden = { schema: { hide: true } };
  app.get('/openapi.json', hidden, (request, reply) => {
    const document = app.swagger();
    return sendPublic(request, reply, document, () => JSON.stringify(document));
  });
  app.get('/docs', hidden, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(referencePage(calls)),
  );
  app.get('/docs.css', hidden, async (_request, reply) => reply.type('text/css').send(referenceStyle));
}

/** One page without scripts, generated from the contract table. */
function referencePage(calls: Calls): string {
  const sections = Object.entries(calls).map(([module, group]) => {
    const entries = Object.values(group).map(endpoint => {
      const parts = (['params', 'query', 'body'] as const).map(part => {
        const schema = endpoint[part];
        return schema ? `<h4>${part}</h4><pre>${schemaText(schema, 'input')}</pre>` : '';
      });
      return (
        `<details><summary><code>${endpoint.method} ${escaped(endpoint.path)}</code> ` +
        `<em>${endpoint.auth}</em><br>${escaped(endpoint.summary)}</summary>` +
        `${parts.join('')}<h4>data</h4><pre>${schemaText(endpoint.data, 'output')}</pre></details>`
      );
    });
    return `<h2>${module}</h2>${entries.join('')}`;
  });
  const codes = Object.entries(errors).map(
    ([name, { code, status }]) => `<tr><td><code>${code}</code></td><td>${status}</td><td>${name}</td></tr>`,
  );
  return plainPage(
    'Fixpoint API',
    '<link rel="stylesheet" href="/docs.css">',
    '<p>Every answer is <code>{code, data?, message?, token?}</code>; success is code <code>0000</code>. ' +
      'Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>' +
      `${sections.join('')}<h2>Codes</h2><table><tr><th>code</th><th>HTTP</th><th>name</th></tr>${codes.join('')}</table>`,
  );
}

const referenceStyle = `${plainStyle}
details{border-top:1px solid #8884;padding:.5rem 0}summary{cursor:pointer}
pre{overflow:auto;padding:1rem;background:#8881;border-radius:8px;font-size:.85rem}em{opacity:.7}`;
