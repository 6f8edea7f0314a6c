import type { FastifyInstance } from 'fastify';
import type { Deliveries } from './delivery/queue.ts';
import { type Html, html, sendPage } from './html.ts';

type Cell = string | number | Html;
/** A table of what a provider holds to be true, oldest first. `named`: the last cell is the shop's name for it. */
export type Belief = { title: string; heads: string[]; rows: Cell[][]; named?: true };
/** The name of something that has a page, where a person does what others would do. */
export const link = (href: string, name: string): Html => html`<a href="${href}">${name}</a>`;
/** What the shop holds to be true, by its own names; undefined when it does not answer. */
export type ShopBeliefs = () => Promise<Record<string, string> | undefined>;

/**
 * Mounts `GET /<provider>`: what it holds to be true beside what the shop does, and what became of the webhooks that it
 * sent.
 */
export function mountBeliefs(
  app: FastifyInstance,
  provider: { path: string; name: string; beliefs(): Belief[]; deliveries: Deliveries },
  shop: ShopBeliefs,
): void {
  app.get(provider.path, async (_, reply) => {
    const ours = await shop();
    const beliefs = provider.beliefs().map(belief => (belief.named ? beside(belief, ours) : belief));
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
${[...beliefs, webhooks].map(({ title, heads, rows }) => html`<h2>${title}</h2>${table(heads, rows)}`)}
<p><code>npm run shop -- books</code> compares all of both, to the balance.</p>
</main>`,
    });
  });
}

/** What the shop believes of each row, in one more column. */
const beside = ({ heads, rows, ...belief }: Belief, ours: Record<string, string> | undefined): Belief => ({
  ...belief,
  heads: [...heads, 'The shop believes'],
  rows: rows.map(row => [...row, ours ? (ours[String(row.at(-1))] ?? 'nothing') : 'no answer']),
});

/** The newest first. */
const table = (heads: string[], rows: Cell[][]): Html =>
  rows.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll"><table><thead><tr>${heads.map(head => html`<th>${head}</th>`)}</tr></thead><tbody>${rows
        .toReversed()
        .map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
