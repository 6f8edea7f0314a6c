const RULE = /^- \*\*(\w+)\*\* (.+(?:\n {2}.+)*)/gm;

/** The rules that a page of docs/requirements defines, in its order: ID and words on one line. */
export function rulesOf(page: string): [id: string, words: string][] {
  return Array.from(page.matchAll(RULE), ([, id, words]) => [id!, words!.replace(/\n {2}/g, ' ')]);
}
