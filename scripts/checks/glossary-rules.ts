/** A text of the shop in one language: a key of screens or emails, or a line of a legal text. */
export type Text = {
  from: 'screens' | 'emails' | 'documents';
  key: string;
  /** The English text, which may be a term of the glossary. */
  english: string;
  /** The text in each combination of its plural forms. */
  variants: readonly string[];
};

/** A glossary: translations of terms, and forbidden words. */
export type Glossary = { words: Word[]; rules: Rule[]; faults: string[] };
type Word = { terms: string[]; words: string[] };
type Rule = { never: RegExp; shown: string; instead: string; from: string };

const WORDS = 'Words';
const RULES = 'Rules';

/** Cells of the rows of a table without its head; `\|` is a bar inside a cell. */
const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line => line.split(/(?<!\\)\|/).slice(1, -1))
    .map(cells => cells.map(cell => cell.trim().replaceAll('\\|', '|')));

/** `` `word` `` matches in any case, `` `/expression/` `` as written. */
function ruleOf([never = '', instead = '', from = '']: string[]): Rule {
  const shown = never.replace(/^`|`$/g, '');
  const [, expression, flags] = /^\/(.+)\/(i?)$/.exec(shown) ?? [];
  const literal = shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return { never: new RegExp(expression ?? literal, `u${expression ? flags : 'i'}`), shown, instead, from };
}

/** Parses a page of `docs/texts/`; `faults` lists what it cannot parse. */
export function glossaryOf(page: string): Glossary {
  const faults: string[] = [];
  const sections = new Map<string, string[][]>();
  for (const [, title, body] of page.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)) {
    const rows = rowsOf(body!);
    if (![WORDS, RULES].includes(title!)) faults.push(`unknown section ${title}`);
    if (rows.length === 0) faults.push(`${title} has no rows`);
    if (rows.some(cells => cells.length !== 3)) faults.push(`${title}: a row does not have three cells`);
    sections.set(title!, rows);
  }
  for (const needed of [WORDS, RULES]) if (!sections.has(needed)) faults.push(`${needed} is missing`);
  const words = (sections.get(WORDS) ?? []).map(([term = '', called = '']) => ({
    terms: term.toLowerCase().split(/,\s*/),
    words: called.toLowerCase().split(/[,，、]\s*/),
  }));
  const rules = (sections.get(RULES) ?? []).map(ruleOf);
  for (const { from, shown } of rules)
    if (!['', 'screens', 'emails', 'documents'].includes(from))
      faults.push(`${shown}: unknown place ${from}`);
  return { words, rules, faults };
}

/** Keys whose English word has another meaning: closing a dialog cancels no subscription. */
const anotherMeaning = ['app.cancel'];

/** Labels of screens that are a term but use another word than the glossary, one line each. */
function wrongWord({ words }: Glossary, { from, key, english, variants }: Text): string[] {
  const word = words.find(({ terms }) => terms.includes(english.toLowerCase()));
  if (!word || from !== 'screens' || anotherMeaning.includes(key)) return [];
  const text = variants.join(' ').toLowerCase();
  // A short label may be the bare verb of the noun (Thai ต่ออายุ for การต่ออายุ).
  if (word.words.some(called => text.includes(called) || called.includes(text))) return [];
  return [`${key}: “${variants[0]}” must be ${word.words.join(' or ')}`];
}

/** Violations of a glossary by the texts of its language, one line each. */
export function violations(glossary: Glossary, texts: readonly Text[]): string[] {
  return texts.flatMap(text => [
    ...wrongWord(glossary, text),
    ...glossary.rules
      .filter(({ from }) => from === '' || from === text.from)
      .flatMap(({ never, shown, instead }) => {
        // The name of an argument is not part of the text.
        const found = text.variants.find(variant => never.test(variant.replace(/\{[\w#]*\}/g, '{}')));
        return found === undefined ? [] : [`${text.key}: never ${shown}, use ${instead}: ${found}`];
      }),
  ]);
}
