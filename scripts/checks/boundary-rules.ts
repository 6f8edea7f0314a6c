/** Regular expressions for paths, of which one must match. */
type Patterns = string | string[];

/** The paths of one side of a dependency-cruiser rule. */
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

/** Groups of the match of `path` for a file, the whole match first; undefined when the file is not on that side. */
function groupsOf({ path, pathNot }: Side, file: string): string[] | undefined {
  if (listOf(pathNot).some(pattern => new RegExp(pattern).test(file))) return undefined;
  const found = new RegExp(listOf(path).join('|')).exec(file);
  return found ? Array.from(found, group => group ?? '') : undefined;
}

const withGroups = (patterns: Patterns | undefined, groups: string[]) =>
  listOf(patterns).map(pattern => pattern.replace(/\$(\d)/g, (all, index) => groups[index] ?? all));

/**
 * Patterns that match no file, one line each: after a move such a rule would pass for ever.
 * @param files every importing or imported file, with packages and modules of Node
 */
export function deadRules(rules: readonly BoundaryRule[], files: readonly string[]): string[] {
  return rules.flatMap(({ name, from, to }) => {
    // Files with the same groups have the same targets.
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
    // A pattern with a group excludes the importing folder itself. Other patterns may exclude every target on purpose.
    const own = listOf(to.pathNot).filter(pattern => pattern.includes('$1'));
    const isAlive = anyTarget(groups => ({
      path: withGroups(to.path, groups),
      pathNot: withGroups(own, groups),
    }));
    return isAlive ? [] : [`${name}: its \`to\` matches no file`];
  });
}
