/** Heading of tables → part of the API outside the modules that owns them. */
const PARTS: Record<string, string> = {
  clock: 'apps/api/src/adapters/shop-clock.ts',
  vault: 'apps/api/src/adapters/master-key/',
  limits: 'apps/api/src/adapters/postgres-limits.ts',
  paypal: 'apps/api/src/adapters/paypal/proven-urls.ts',
  idempotency: 'apps/api/src/adapters/postgres-idempotency-records.ts',
  jobs: 'apps/api/src/adapters/jobs/',
  migrations: 'apps/api/src/database/migrate.ts',
  nodes: 'apps/api/src/database/nodes.ts',
  backfill: 'apps/api/src/jobs/backfill.ts',
};
/** Tables that no migration creates: the migrator creates the first, pg-boss the second. */
const WITHOUT_MIGRATION: [table: string, owner: string][] = [
  ['migration', 'migrations'],
  ['pgboss.job', 'jobs'],
];

const HEADING_OR_TABLE =
  /^-- (\w+) -{5,}$|^create (?:unlogged )?table (\w+)|^alter table (\w+) rename to (\w+)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const BUILDER = /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*([^),]*)/g;
const SQL =
  /\b(?:insert into|delete from|merge into|truncate(?: table)?)\s+(\$\{|[\w.]+)|\bupdate\s+(\$\{|\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi;

/** Owners of the tables in the migrations: a heading (`-- billing -----`) names the owner of the tables below it. */
export function ownersOf(migrations: readonly string[]): { owners: Map<string, string>; faults: string[] } {
  const owners = new Map(WITHOUT_MIGRATION);
  const faults: string[] = [];
  for (const migration of migrations) {
    let owner: string | undefined;
    for (const [, heading, table, before, renamed] of migration.matchAll(HEADING_OR_TABLE)) {
      if (heading) owner = heading;
      else if (before) {
        owners.set(renamed!, owner ?? owners.get(before)!);
        owners.delete(before);
      } else if (owner) owners.set(table!, owner);
      else faults.push(`table ${table} is below no heading that names its owner`);
    }
  }
  return { owners, faults };
}

const partOf = (path: string): string | undefined =>
  /^apps\/api\/src\/modules\/(\w+)\//.exec(path)?.[1] ??
  Object.keys(PARTS).find(part => path.startsWith(PARTS[part]!));

/** Writes of a source file of the API to tables of another owner, one line each (H10). */
export function violations(path: string, text: string, owners: ReadonlyMap<string, string>): string[] {
  const code = text.replace(COMMENT, comment => comment.replace(/[^\n]/g, ' '));
  return writesIn(code).flatMap(({ line, tables }) => {
    const where = `${path}:${line}`;
    if (!tables) return [`${where}: name the table of a write literally`];
    return tables
      .filter(table => owners.get(table) !== (partOf(path) ?? 'nobody'))
      .map(table => `${where}: only its owner writes ${table} (${owners.get(table) ?? 'nobody'})`);
  });
}

/** `tables` is undefined when the code does not name them literally. */
function writesIn(code: string): { line: number; tables: string[] | undefined }[] {
  const lineAt = (index: number) => code.slice(0, index).split('\n').length;
  const built = Array.from(code.matchAll(BUILDER), ({ index, 1: given = '' }) => ({
    line: lineAt(index),
    tables: tablesOf(code, given.trim()),
  }));
  const inSql = Array.from(code.matchAll(SQL), ({ index, 1: first, 2: second }) => {
    const table = (first ?? second)!;
    return { line: lineAt(index), tables: table.startsWith('$') ? undefined : [table] };
  });
  return [...built, ...inSql];
}

/** Tables of a quoted name, or of a variable whose type or list names them. */
function tablesOf(code: string, given: string): string[] | undefined {
  const literal = /^'(\w+)(?: as \w+)?'$/.exec(given);
  if (literal) return [literal[1]!];
  if (!/^\w+$/.test(given)) return undefined;
  const type = new RegExp(`\\b${given}: ('\\w+'(?: \\| '\\w+')*)`).exec(code)?.[1];
  const list = new RegExp(`\\bconst ${given} of (\\w+)`).exec(code)?.[1];
  const names = type ?? (list && new RegExp(`\\b${list} = \\[([^\\]]*)\\] as const`).exec(code)?.[1]);
  return names ? Array.from(names.matchAll(/'(\w+)'/g), ([, name]) => name!) : undefined;
}
