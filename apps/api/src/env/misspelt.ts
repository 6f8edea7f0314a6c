import { schema } from './schema.ts';

/** Greatest distance of a name from the one that was meant. */
const MOST = 3;
/** Names that Node.js, libpq, OpenSSL or the C library reads. */
const OF_OTHERS = /^(NODE_|PG|SSL_|LC_|TZ$|LANG$)/;

/**
 * Warnings about names that are no settings: what they say is ignored.
 * @param also further names that are read
 */
export function misspelt(names: readonly string[], also: readonly string[]): string[] {
  const known = [...Object.keys(schema.shape), ...also];
  return names
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const nearest = nearestOf(name, known, MOST);
      if (!nearest && OF_OTHERS.test(name)) return [];
      return `${name} is not a setting and is ignored.${nearest ? ` Did you mean ${nearest}?` : ''}`;
    });
}

/** Whether a name of the environment, where other programs have theirs, is meant as a setting. */
export const looksMisspelt = (name: string): boolean =>
  name.length >= 8 && !(name in schema.shape) && !!nearestOf(name, Object.keys(schema.shape), 2);

const nearestOf = (name: string, known: readonly string[], most: number): string | undefined =>
  known
    .map(other => ({ other, distance: difference(name, other) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)[0]?.other;

/** How many characters must be added, removed or replaced to turn one name into the other (Levenshtein). */
function difference(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a.toUpperCase()].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (character === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
