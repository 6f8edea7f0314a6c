/** Patterns of paths: a file matches when one of them does. */
type Patterns = string | string[];

/** One side of a rule of dependency-cruiser, as far as it names files. */
interface Side {
  path?: Patterns;
  pathNot?: Patterns;
}

export interface BoundaryRule {
  name?: string;
  from: Side;
  to: Side;
}

const listOf = (patterns: Patterns = []) => [patterns].flat();

/** What the groups of `path` are for a file (the whole match is the first); undefined when it is not of that side. */
function groupsOf({ path, pathNot }: Side, file: string): string[] | undefined {
  if (listOf(pathNot).some(pattern => new RegExp(pattern).test(file))) return undefined;
  const found = new RegExp(listOf(path).join('|')).exec(file);
  return found ? Array.from(found, group => group ?? '') : undefined;
}

const withGroups = (patterns: Patterns | undefined, groups: string[]) =>
  listOf(patterns).map(pattern => pattern.replace(/\$(\d)/g, (all, index) => groups[index] ?? all));

/**
 * What of the rules matches no file, one line each: it would pass for ever.
 * @param files all that imports or is imported, packages and modules of Node included
 */
export function deadRules(rules: readonly BoundaryRule[], files: readonly string[]): string[] {
  return rules.flatMap(({ name, from, to }) => {
    // Files whose groups are the same ask for the same targets.
    const importing = new Map(
      files.flatMap(file => {
        const groups = groupsOf(from, file);
        return groups ? [[groups.slice(1).join('/'), groups] as const] : [];
      }),
    );
    if (importing.size === 0) return [`${name}: its \`from\` matches no file`];
    const anyTarget = (sideFor: (groups: string[]) => Side) =>
      Array.from(importing.values(), sideFor).some(side => files.some(file => groupsOf(side, file)));
    const patterns = [from.path, from.pathNot, to.path, to.pathNot].flatMap(listOf);
    const dead = patterns.filter(pattern => !anyTarget(groups => ({ path: withGroups(pattern, groups) })));
    if (dead.length > 0) return dead.map(pattern => `${name}: ${pattern} matches no file`);
    // With a group it is the importing folder itself. The others may be a list of exceptions that is complete.
    const own = listOf(to.pathNot).filter(pattern => pattern.includes('$1'));
    const isAlive = anyTarget(groups => ({
      path: withGroups(to.path, groups),
      pathNot: withGroups(own, groups),
    }));
    return isAlive ? [] : [`${name}: its \`to\` matches no file`];
  });
}
