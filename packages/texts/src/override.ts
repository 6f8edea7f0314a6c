import { DEFAULT_LANGUAGE } from '@fixpoint/contract/languages.ts';
import { written } from './bundles.ts';
import { fillMessage } from './message.ts';
import { argumentsOf } from './message-arguments.ts';
import { formatMessage } from './page-message.ts';

/** Keys that an operator may add: names of their own regions and plans. */
const OWN_KEYS = /^(region|plans\.name)\.[a-z0-9][a-z0-9-]*$/;
/** Prefix of the keys of email texts, because screens and emails have separate keys. */
export const EMAIL_PREFIX = 'email.';

/**
 * Why a text override cannot be used; undefined if it can. It must have the arguments of the
 * English text: a sentence without its price would be a false statement.
 */
export function overrideFault(key: string, text: string): string | undefined {
  const english = key.startsWith(EMAIL_PREFIX)
    ? written.emails.en[key.slice(EMAIL_PREFIX.length)]
    : written.bundles.en[key];
  if (english === undefined && !OWN_KEYS.test(key)) return `there is no text ${key}`;
  if (text.trim() === '') return 'the text is empty';
  if (/[\r\n]/.test(text)) return 'the text has a line break';
  // ICU quotes, which a page would show literally.
  const quote = /'['{}<>#|]/.exec(text)?.[0];
  if (quote) return `the text has ${quote}, which means something else in ICU messages`;
  try {
    const [wanted, given] = [argumentsOf(english ?? ''), argumentsOf(text)];
    if (wanted.join() !== given.join())
      return `the text must have the arguments ${wanted.join(', ') || '(none)'}, it has ${given.join(', ') || '(none)'}`;
    return pageFault(text, given);
  } catch (error) {
    return `the text is no ICU message: ${(error as Error).message}`;
  }
}

/**
 * Pages use their own parser, which stops at a surplus brace where the library continues. Any value
 * reveals the difference, because it lies outside all choices.
 * @throws if a page cannot parse it at all
 */
function pageFault(text: string, names: string[]): string | undefined {
  const values = Object.fromEntries(names.map(name => [name.split(' ')[0], 1]));
  const said = formatMessage(text, DEFAULT_LANGUAGE, values);
  return said === fillMessage(text, DEFAULT_LANGUAGE, values) ? undefined : `a page would only say: ${said}`;
}
