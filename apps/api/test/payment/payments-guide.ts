import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../../docs/operate/payments.md', import.meta.url), 'utf8');
const rows = guide
  .split('| it says | it means |')[1]!
  .match(/^\|.*$/gm)!
  .slice(1);
/** Messages that the guide explains; `…` stands for any text. */
const sayings = rows.flatMap(row => row.split(' | ')[0]!.match(/`[^`]+`/g) ?? []);
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patterns = sayings.map(
  saying => new RegExp(saying.slice(1, -1).split('…').map(literally).join('[^]*')),
);

/** Messages that the table of docs/operate/payments.md does not explain. */
export const unexplained = (said: readonly string[]): string[] =>
  said.filter(each => !patterns.some(pattern => pattern.test(each)));

/** Events that the guide requires of a webhook; one that starts with a dot shares the previous one's beginning. */
export function namedAfter(webhook: string): string[] {
  const words = guide
    .split(webhook)[1]!
    .split('Its ')[0]!
    .matchAll(/`([\w.-]+\.[\w.-]+|\.\w+)`/g);
  const events: string[] = [];
  for (const [, word] of words) {
    const before = events.at(-1) ?? '';
    events.push(word!.startsWith('.') ? before.slice(0, before.lastIndexOf('.')) + word : word!);
  }
  return events;
}
