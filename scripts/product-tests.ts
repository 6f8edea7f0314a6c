import { rulesOf } from './requirements.ts';

const ROW = /^\| (W\d+) \| `([^`]+)` \| (.+) \|$/gm;
const GAP = /^\| (W\d+) \| ([^`|]+) \|$/gm;
/** Begins a title: the call itself, or the one that a table of cases returns. */
const BEGIN = /(?:\b(?:test|it|describe)(?:\.(?:only|skip|fails|concurrent|describe|soft))*\(|\)\()\s*/;
const STRING = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/;
const TITLE = new RegExp(`${BEGIN.source}(?:${STRING.source})`, 'g');

/** Titles of the tests of a file, and of the groups around them. */
export const titlesOf = (text: string): string[] =>
  Array.from(text.matchAll(TITLE), ([, single, double, template]) => single ?? double ?? template ?? '');

export type Shown = {
  id: string;
  words: string;
  /** File and title of each test. */
  tests: { file: string; title: string }[];
  gap: string | undefined;
};

/**
 * The rules of docs/requirements/product.md with the tests that show them.
 * @param list docs/requirements/product-tests.md
 * @param files text of each test file
 * @returns faults: rows without a rule or without such a test, and rules with neither test nor gap
 */
export function productTests(
  page: string,
  list: string,
  files: ReadonlyMap<string, string>,
): { shown: Shown[]; faults: string[] } {
  const rules = new Map(rulesOf(page));
  const gaps = new Map(Array.from(list.matchAll(GAP), ([, id, gap]) => [id!, gap!]));
  const rows = Array.from(list.matchAll(ROW), ([, id, file, title]) => ({
    id: id!,
    file: file!,
    title: title!,
  }));
  const titles = new Map(Array.from(files, ([file, text]) => [file, titlesOf(text)]));
  const faults = rows.flatMap(({ id, file, title }) => [
    ...(rules.has(id) ? [] : [`${id} is no rule of product.md`]),
    ...(titles.get(file)?.some(each => each.includes(title))
      ? []
      : [`${id}: ${file} has no test "${title}"`]),
  ]);
  for (const id of gaps.keys()) if (!rules.has(id)) faults.push(`${id} is no rule of product.md`);
  const cited = [...titles].flatMap(([file, all]) =>
    all.flatMap(title => Array.from(title.matchAll(/\bW\d+\b/g), ([id]) => ({ id, file, title }))),
  );
  const shown = Array.from(rules, ([id, words]): Shown => {
    const tests = [...cited, ...rows].filter(row => row.id === id);
    const gap = gaps.get(id);
    if (tests.length === 0 && !gap) faults.push(`${id} has neither a test nor a gap in product-tests.md`);
    return { id, words, tests: tests.map(({ file, title }) => ({ file, title })), gap };
  });
  return { shown, faults };
}
