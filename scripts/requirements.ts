const RULE = /^- \*\*(\w+)\*\* (.+(?:\n {2}.+)*)/gm;

/** The rules that a page of docs/requirements defines, in order: ID and text on one line. */
export function rulesOf(page: string): [id: string, words: string][] {
  return Array.from(page.matchAll(RULE), ([, id, words]) => [id!, words!.replace(/\n {2}/g, ' ')]);
}

const NOT_YET = /^\| (S\d\d) \| (.+) \| (.+) \|$/gm;

/** The table of rules without a test at the end of a page: ID → what is missing, and with what it comes. */
export function notYetOf(page: string): Map<string, { missing: string; comesWith: string }> {
  return new Map(
    Array.from(page.matchAll(NOT_YET), ([, id, missing, comesWith]) => [
      id!,
      { missing: missing!, comesWith: comesWith! },
    ]),
  );
}
