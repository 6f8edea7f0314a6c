/** Older than the rule that files declare their kind; applied files never change. */
const UNDECLARED = ['0001_shop.sql', '0002_rights.sql', '0003_own_addresses.sql'];

const DECLARATION = /^-- (?:expand|contract(?: later| after \w+)?)\n/;
const COMMENT = /--.*$/gm;
/** A function's body runs later, when it is called. */
const FUNCTION_BODY = /(create (?:or replace )?function\b[\s\S]*?)\$(\w*)\$[\s\S]*?\$\2\$/gi;
const CREATED = /\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/gi;
const TABLE = /\b(?:alter table (?:only )?|create unique index (?:\w+ )?on )(\w+)/i;

/** Rewrites values in place: a shop had few before 0.2.0. */
const RENAMES_VALUES = /^\d{4}_standard_names\.sql$/;

/** Statements that an `expand` file must not run on an existing table. */
const TIGHTENS: readonly [RegExp, string][] = [
  [/\bdrop (?!not null)/i, 'drops something'],
  [/\brename\b/i, 'renames something'],
  [/\bset not null\b/i, 'requires a value'],
  [/\balter (?:column )?\w+ (?:set data )?type\b/i, 'changes a type'],
  [/\badd (?:constraint|check|unique|foreign key|primary key|exclude)\b/i, 'adds a constraint'],
  [/\bcreate unique index\b/i, 'adds a constraint'],
  [
    /\badd (?:column )?(?!constraint)\w+ (?=[^,]*\bnot null\b)(?![^,]*\b(?:default|generated)\b)/i,
    'requires a value',
  ],
  [/\brevoke\b/i, 'takes a right away'],
];
const MOVES_ROWS = /\bupdate (?:only )?\w+(?: (?:as )?\w+)? set\b|\bdelete from\b|\btruncate\b(?! on\b)/i;

/** Faults of a migration, one line each (docs/contribute/migrate.md). */
export function migrationFaults(name: string, text: string): string[] {
  if (UNDECLARED.includes(name)) return [];
  if (!DECLARATION.test(text)) return [`${name}: its first line is neither "-- expand" nor "-- contract"`];
  const code = text.replace(COMMENT, '').replace(FUNCTION_BODY, '$1').replace(/\s+/g, ' ');
  const moves =
    MOVES_ROWS.test(code) && !RENAMES_VALUES.test(name) ? [`${name} changes rows: that is a backfill`] : [];
  return text.startsWith('-- expand')
    ? [...moves, ...tightening(code).map(what => `${name} expands, but ${what}`)]
    : moves;
}

function tightening(code: string): string[] {
  const created = new Set(Array.from(code.matchAll(CREATED), ([, table]) => table!.toLowerCase()));
  return code
    .split(';')
    .filter(statement => !created.has(TABLE.exec(statement)?.[1]?.toLowerCase() ?? ''))
    .flatMap(statement =>
      TIGHTENS.filter(([pattern]) => pattern.test(statement)).map(
        ([, what]) => `${what}: ${statement.trim()}`,
      ),
    );
}
