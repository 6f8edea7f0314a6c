/** A text of the shop in one language: a screen's or email's key, or a line of a document. */
export type Text = {
  from: 'screens' | 'emails' | 'documents';
  key: string;
  /** The English one, of which a glossary may say how it is called. */
  english: string;
  /** As it can be read: one for each choice of its plurals. */
  variants: readonly string[];
};

/** What a glossary says: what things are called, and what is never written. */
export type Glossary = { words: Word[]; rules: Rule[]; faults: string[] };
type Word = { terms: string[]; words: string[] };
type Rule = { never: RegExp; shown: string; instead: string; from: string };

const WORDS = 'Words';
const RULES = 'Rules';

/** Cells of the rows of a table, without its head; `\|` is a bar inside of one. */
const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line => line.split(/(?<!\\)\|/).slice(1, -1))
    .map(cells => cells.map(cell => cell.trim().replaceAll('\\|', '|')));

/** `` `word` `` is looked for in any case, `` `/expression/` `` as it is written. */
function ruleOf([never = '', instead = '', from = '']: string[]): Rule {
  const shown = never.replace(/^`|`$/g, '');
  const [, expression, flags] = /^\/(.+)\/(i?)$/.exec(shown) ?? [];
  const literal = shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return { never: new RegExp(expression ?? literal, `u${expression ? flags : 'i'}`), shown, instead, from };
}

/** Reads a page of `docs/texts/`; what it cannot read is among its faults. */
export function glossaryOf(page: string): Glossary {
  const faults: string[] = [];
  const sections = new Map<string, string[][]>();
  for (const [, title, body] of page.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)) {
    const rows = rowsOf(body!);
    if (![WORDS, RULES].includes(title!)) faults.push(`no section ${title} is known`);
    if (rows.length === 0) faults.push(`${title} has no rows`);
    if (rows.some(cells => cells.length !== 3)) faults.push(`${title}: a row has not three cells`);
    sections.set(title!, rows);
  }
  for (const needed of [WORDS, RULES]) if (!sections.has(needed)) faults.push(`${needed} is missing`);
  const words = (sections.get(WORDS) ?? []).map(([term = '', called = '']) => ({
    terms: term.toLowerCase().split(/,\s*/),
    words: called.toLowerCase().split(/[,，、]\s*/),
  }));
  const rules = (sections.get(RULES) ?? []).map(ruleOf);
  for (const { from, shown } of rules)
    if (!['', 'screens', 'emails', 'documents'].includes(from)) faults.push(`${shown}: where is ${from}?`);
  return { words, rules, faults };
}

/** The same English word for something else: closing a dialog cancels no subscription. */
const anotherMeaning = ['app.cancel'];

/** What a text of a screen is not called as its glossary has it: one term, one word. */
function wrongWord({ words }: Glossary, { from, key, english, variants }: Text): string[] {
  const word = words.find(({ terms }) => terms.includes(english.toLowerCase()));
  if (!word || from !== 'screens' || anotherMeaning.includes(key)) return [];
  const text = variants.join(' ').toLowerCase();
  // A short label may be the bare verb of the noun (Thai ต่ออายุ for การต่ออายุ).
  if (word.words.some(called => text.includes(called) || called.includes(text))) return [];
  return [`${key}: “${variants[0]}” is called ${word.words.join(', ')}`];
}

/** What the texts of a language write against its glossary, one line each. */
export function violations(glossary: Glossary, texts: readonly Text[]): string[] {
  return texts.flatMap(text => [
    ...wrongWord(glossary, text),
    ...glossary.rules
      .filter(({ from }) => from === '' || from === text.from)
      .flatMap(({ never, shown, instead }) => {
        // The name of an argument is no word of the text.
        const found = text.variants.find(variant => never.test(variant.replace(/\{[\w#]*\}/g, '{}')));
        return found === undefined ? [] : [`${text.key}: never ${shown}, but ${instead}: ${found}`];
      }),
  ]);
}
