import type { FastifyInstance } from 'fastify';
import type { Deliveries } from './delivery/queue.ts';
import { type Html, html, sendPage } from './html.ts';

type Cell = string | number;
/** A table of what a provider holds to be true, oldest first. */
export type Belief = { title: string; heads: string[]; rows: Cell[][] };

/** Mounts `GET /<provider>`: what it holds to be true, and what became of the webhooks that it sent. */
export function mountBeliefs(
  app: FastifyInstance,
  provider: { path: string; name: string; beliefs(): Belief[]; deliveries: Deliveries },
): void {
  app.get(provider.path, async (_, reply) => {
    const webhooks: Belief = {
      title: 'Webhooks',
      heads: ['Event', 'State', 'Answers'],
      rows: provider.deliveries
        .all()
        .map(({ type, state, tries }) => [
          type,
          state,
          tries.map(({ status, error }) => status ?? error ?? '').join(', '),
        ]),
    };
    return sendPage(reply, {
      title: `${provider.name} (sandbox)`,
      body: html`<main class="wide"><h1>What ${provider.name} believes</h1>
${[...provider.beliefs(), webhooks].map(({ title, heads, rows }) => html`<h2>${title}</h2>${table(heads, rows)}`)}
<p>What the shop believes: <code>npm run shop -- books</code> compares both.</p>
</main>`,
    });
  });
}

/** The newest first. */
const table = (heads: string[], rows: Cell[][]): Html =>
  rows.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll"><table><thead><tr>${heads.map(head => html`<th>${head}</th>`)}</tr></thead><tbody>${rows
        .toReversed()
        .map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
