import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/operate/payments.md', import.meta.url), 'utf8');
const rows = guide
  .split('| it says | it means |')[1]!
  .match(/^\|.*$/gm)!
  .slice(1);
/** What the guide explains; `…` stands for whatever is said there. */
const sayings = rows.flatMap(row => row.split(' | ')[0]!.match(/`[^`]+`/g) ?? []);
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patterns = sayings.map(
  saying => new RegExp(saying.slice(1, -1).split('…').map(literally).join('[^]*')),
);

/** What of these the table of docs/operate/payments.md does not explain to an operator who reads them. */
export const unexplained = (said: readonly string[]): string[] =>
  said.filter(each => !patterns.some(pattern => pattern.test(each)));
