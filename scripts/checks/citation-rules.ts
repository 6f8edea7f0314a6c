/*
 * Comments, documents and names of tests cite rules of docs/requirements by ID, and no document outside the repository.
 */

/**
 * Matches `S07`, `W12`, `FM1`, `BG12`; not `S3`, `P-256`, `X509` or a part of a word.
 */
const CITATION =
  /(?<![\w.#/-])(?:S\d\d|F[CMOPSUV]?[1-9]\d?|(?:BG|MO|OP|PE|SE|SP|UX)[1-9]\d?|[ABEHIKLMOPRTUVWX][1-9]\d?)(?![\w-]|\.\d)/;

/** Documents outside the repository, and forms in which they were cited. */
const OUTSIDE = new RegExp(
  [
    /(?<![\w/-])(?:architecture|core|decisions|findings|payments|reliability|security|spec|stack|ux|vpn-host)\.md\b/,
    /\bshared\/[\w-]+\.md\b/,
    /\b(?:architecture|decisions),? ["“]/,
    /\b(?:architecture|reliability),? (?:rule|fault|invariant)s?\b/,
    /\bspec(?:ification)? sections?\b|\bthe specification\b/,
    /\bux \d/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Patterns for prose in a file: comments, and in tests every string literal on one line, because it may be a name. */
function proseOf(path: string): RegExp[] {
  const blocks = /\/\*[\s\S]*?\*\//g;
  if (path.endsWith('.md')) return [/[\s\S]+/g];
  if (path.endsWith('.css')) return [blocks];
  if (path.endsWith('.sql')) return [blocks, /--.*/g];
  const comments = [blocks, /(?<=^|\s)\/\/.*/gm];
  return /\.(test|spec)\.tsx?$/.test(path)
    ? [...comments, /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`/g]
    : comments;
}

interface Found {
  line: number;
  words: string;
}

function find(path: string, text: string, pattern: RegExp): Found[] {
  const found = proseOf(path)
    .flatMap(words => [...text.matchAll(words)])
    .flatMap(({ 0: words, index: start }) =>
      Array.from(words.matchAll(new RegExp(pattern, `g${pattern.flags}`)), match => ({
        index: start + match.index,
        words: match[0],
      })),
    );
  // A string inside a comment is found twice.
  const each = new Map(found.map(one => [one.index, one.words]));
  return Array.from(each, ([index, words]) => ({ line: text.slice(0, index).split('\n').length, words }));
}

/** Faults of all pages together: duplicate IDs, and IDs that no citation could match. */
export function faultsOfRules(ids: readonly string[]): string[] {
  const whole = new RegExp(`^(?:${CITATION.source})$`);
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `${id} belongs to two rules`),
    ...ids.filter(id => !whole.test(id)).map(id => `${id} is not a well-formed ID`),
  ];
}

/** IDs that a file cites. */
export function citationsIn(path: string, text: string): string[] {
  return find(path, text, CITATION).map(({ words }) => words);
}

/** Faulty citations of a file, one line each. @param known the IDs of docs/requirements */
export function violations(path: string, text: string, known: ReadonlySet<string>): string[] {
  const unknown = find(path, text, CITATION)
    .filter(({ words }) => !known.has(words))
    .map(({ line, words }) => `${path}:${line}: ${words} is not a rule of docs/requirements`);
  // The pages of requirements may name each other.
  if (path.startsWith('docs/requirements/')) return unknown;
  const outside = find(path, text, OUTSIDE).map(
    ({ line, words }) =>
      `${path}:${line}: "${words}" is not in the repository: cite the rule of docs/requirements by its ID, as in (S30)`,
  );
  return [...unknown, ...outside];
}
