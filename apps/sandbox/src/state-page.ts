import type { FastifyInstance } from 'fastify';
import type { Deliveries } from './delivery/queue.ts';
import { type Html, html, sendPage } from './html.ts';

type Cell = string | number | Html;
/** A table of a provider's records, oldest first. `named`: the last cell is the shop's id. */
export type StateTable = { title: string; heads: string[]; rows: Cell[][]; named?: true };
/** Links a record to its page, where a person acts for the buyer, the bank or the network. */
export const link = (href: string, name: string): Html => html`<a href="${href}">${name}</a>`;
/** Reads the shop's records by its own ids; undefined when it does not answer. */
export type ShopRecords = () => Promise<Record<string, string> | undefined>;

/** Mounts `GET /<provider>`: its records next to the shop's, and the webhooks with their answers. */
export function mountStatePage(
  app: FastifyInstance,
  provider: { path: string; name: string; tables(): StateTable[]; deliveries: Deliveries },
  shop: ShopRecords,
): void {
  app.get(provider.path, async (_, reply) => {
    const ours = await shop();
    const tables = provider.tables().map(table => (table.named ? withShopColumn(table, ours) : table));
    const webhooks: StateTable = {
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
      body: html`<main class="wide"><h1>State of ${provider.name}</h1>
${[...tables, webhooks].map(({ title, heads, rows }) => html`<h2>${title}</h2>${renderTable(heads, rows)}`)}
<p><code>npm run shop -- books</code> compares both completely, including the balance.</p>
</main>`,
    });
  });
}

/** Adds a column with the shop's record of each row. */
const withShopColumn = (
  { heads, rows, ...table }: StateTable,
  ours: Record<string, string> | undefined,
): StateTable => ({
  ...table,
  heads: [...heads, 'In the shop'],
  rows: rows.map(row => [...row, ours ? (ours[String(row.at(-1))] ?? 'nothing') : 'no answer']),
});

/** Newest first. */
const renderTable = (heads: string[], rows: Cell[][]): Html =>
  rows.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll"><table><thead><tr>${heads.map(head => html`<th>${head}</th>`)}</tr></thead><tbody>${rows
        .toReversed()
        .map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
