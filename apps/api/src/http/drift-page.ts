import { escaped } from '@fixpoint/texts/markup.ts';
import { plainPage, plainStyle } from './html.ts';

/** Differences at a host, or at a location without one. */
export type Differing = { where: string; lines: readonly string[] };

/**
 * Interval of the page's refresh in seconds, which is the time that a change may take to be
 * applied.
 */
const REFRESH_S = 5;
const HEAD = `<meta http-equiv="refresh" content="${REFRESH_S}"><style>${plainStyle}</style>`;

/** Paid entitlements against the state of each host, as a page that refreshes itself. */
export function driftPage(all: readonly Differing[]): string {
  const rows = all.map(({ where, lines }) => {
    const said = lines.length > 0 ? lines.map(escaped).join('<br>') : 'nothing';
    return `<tr><th scope="row">${escaped(where)}</th><td>${said}</td></tr>`;
  });
  const differing = all.filter(({ lines }) => lines.length > 0).length;
  const sum =
    differing > 0 ? `${differing} of ${all.length} differ.` : 'All hosts match the paid entitlements.';
  return plainPage(
    'Paid entitlements and hosts',
    HEAD,
    `<p><strong>${sum}</strong></p><table><tr><th>host</th><th>differs</th></tr>${rows.join('')}</table>`,
  );
}
