import { escaped } from '@fixpoint/texts/markup.ts';
import { plainPage, plainStyle } from './html.ts';

/** A host, or a place that is none, and what differs there. */
export type Differing = { where: string; lines: readonly string[] };

/** So often the page is asked for again, in seconds: so long a change may take to be in force. */
const AGAIN_S = 5;
const HEAD = `<meta http-equiv="refresh" content="${AGAIN_S}"><style>${plainStyle}</style>`;

/** What was paid for against what each host has, as a page that looks again by itself. */
export function driftPage(all: readonly Differing[]): string {
  const rows = all.map(({ where, lines }) => {
    const said = lines.length > 0 ? lines.map(escaped).join('<br>') : 'nothing';
    return `<tr><th scope="row">${escaped(where)}</th><td>${said}</td></tr>`;
  });
  const differing = all.filter(({ lines }) => lines.length > 0).length;
  const sum = differing > 0 ? `${differing} of ${all.length} differ.` : 'All hosts are what was paid for.';
  return plainPage(
    'Paid rights and hosts',
    HEAD,
    `<p><strong>${sum}</strong></p><table><tr><th>host</th><th>differs</th></tr>${rows.join('')}</table>`,
  );
}
