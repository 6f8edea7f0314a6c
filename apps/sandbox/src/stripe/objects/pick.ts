/** Returns the named members of an object. */
export function pick<T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map(name => [name, object[name]])) as unknown as Pick<T, K>;
}
