/** What becomes of the account of the session when its user closes their log-in. */
export type AfterEnd = 'ends' | 'goesOn' | 'handOver';

type Person = { role: string; isYou: boolean };

/**
 * What the page can say before the server decides.
 * @param people everybody who works in the account; only owners can read them
 * @returns undefined until they are known
 */
export function afterEnd(role: string, people: readonly Person[] | undefined): AfterEnd | undefined {
  if (role !== 'owner') return 'goesOn';
  const others = people?.filter(({ isYou }) => !isYou);
  if (!others) return undefined;
  if (others.length === 0) return 'ends';
  return others.some(other => other.role === 'owner') ? 'goesOn' : 'handOver';
}
