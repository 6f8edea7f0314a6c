import type { IntlMessageFormat } from 'intl-messageformat';
import { loadPart, shared } from './chunk.ts';
import { createStore } from './store.ts';

export type MessageArguments = Record<string, string | number>;

let Icu: typeof IntlMessageFormat | undefined;
const parsed = new Map<string, IntlMessageFormat>();

/** True once plurals and selects can be formatted. */
export const icuReady = createStore(false);

/** Brings the formatter the first time a message has a plural or a select; most pages have none. */
export const loadIcu = shared(async () => {
  Icu = (await loadPart(() => import('intl-messageformat'))).IntlMessageFormat;
  icuReady.set(true);
});

export const needsIcu = (message: string): boolean => /\{\s*\w+\s*,/.test(message);

/** An ICU message with its arguments. Plain `{name}` needs no formatter; plurals need `loadIcu` first.
 * Digits are Latin in every language, as in dates and prices. */
export function formatMessage(message: string, tag: string, args: MessageArguments = {}): string {
  if (!needsIcu(message)) {
    return message.replace(/\{\s*(\w+)\s*\}/g, (whole, name: string) => String(args[name] ?? whole));
  }
  if (!Icu) throw new Error('the message has a plural: loadIcu first');
  const key = `${tag} ${message}`;
  const format = parsed.get(key) ?? new Icu(message, `${tag}-u-nu-latn`);
  parsed.set(key, format);
  return String(format.format(args));
}
