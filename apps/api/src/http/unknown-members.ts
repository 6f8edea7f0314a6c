/** Number of members that a schema has dropped; one with nested members counts once. */
export function unknownMembers(given: unknown, kept: unknown): number {
  if (!isObject(given) || !isObject(kept)) return 0;
  let unknown = 0;
  for (const [name, value] of Object.entries(given))
    unknown += Object.hasOwn(kept, name) ? unknownMembers(value, kept[name]) : 1;
  return unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
