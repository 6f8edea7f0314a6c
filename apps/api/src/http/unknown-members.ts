/** Number of members that a schema has dropped; one with nested members counts once. */
export function unknownMembers(given: unknown, parsed: unknown): number {
  if (!isObject(given) || !isObject(parsed)) return 0;
  let unknown = 0;
  for (const [name, value] of Object.entries(given))
    unknown += Object.hasOwn(parsed, name) ? unknownMembers(value, parsed[name]) : 1;
  return unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
