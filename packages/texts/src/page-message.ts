import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { formatNumber } from './format.ts';

export type MessageArguments = Record<string, string | number>;

const hasChoice = (message: string): boolean => /\{\s*\w+\s*,/.test(message);

let plural: { language: Language; rules: Intl.PluralRules } | undefined;

function pluralOf(count: number, language: Language): string {
  if (plural?.language !== language)
    plural = { language, rules: new Intl.PluralRules(languages[language].tag) };
  return plural.rules.select(count);
}

/**
 * Formats an ICU message with arguments, plurals and selects; placeholders without a value stay.
 * Digits are Latin in every language, as in dates and prices. Own implementation, because the
 * library's number formats block a phone for 100 ms.
 * @throws if it is not a message
 */
export function formatMessage(message: string, language: Language, args: MessageArguments = {}): string {
  if (!hasChoice(message)) {
    return message.replace(/\{\s*(\w+)\s*\}/g, (whole, name: string) => String(args[name] ?? whole));
  }
  let at = 0;
  const read = (what: RegExp): string[] => {
    what.lastIndex = at;
    const found = what.exec(message);
    if (!found) throw new Error(`no message: ${message}`);
    at += found[0].length;
    return found;
  };

  /** Reads up to the closing brace, or to the end. @param count value of `#` */
  function text(count?: number): string {
    let written = '';
    while (at < message.length && message[at] !== '}') {
      if (message[at] === '{') written += argument(count);
      else {
        const [plain = ''] = read(/#|[^{}#]+/y);
        written += plain === '#' && count !== undefined ? formatNumber(count, language) : plain;
      }
    }
    return written;
  }

  function argument(count?: number): string {
    const [whole = '', name = '', kind] = read(/\{\s*(\w+)\s*(?:,\s*(plural|select)\s*,\s*|\})/y);
    const value = args[name];
    if (!kind) return String(value ?? whole);
    const options = new Map<string, string>();
    while (message[at] !== '}') {
      const [, option = ''] = read(/(=?\w+)\s*\{/y);
      options.set(option, text(kind === 'plural' ? Number(value) : count));
      read(/\}\s*/y);
    }
    at += 1;
    const chosen =
      kind === 'plural'
        ? (options.get(`=${value}`) ?? options.get(pluralOf(Number(value), language)))
        : options.get(String(value));
    return chosen ?? options.get('other') ?? '';
  }

  return text();
}
