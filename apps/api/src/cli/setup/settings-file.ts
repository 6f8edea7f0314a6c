import { parseEnv } from 'node:util';

/** The settings of an installed shop. */
export const SETTINGS = '/etc/fixpoint/fixpoint.env';
/** Readable by the user of the shop, who may not change it. */
export const SETTINGS_MODE = 0o640;

/** Settings by name, as a file has them. Empty ones count as absent. */
export type Settings = Record<string, string>;

export const settingsIn = (text: string): Settings =>
  Object.fromEntries(
    Object.entries(parseEnv(text)).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );

/** A value as the file writes it. @throws Error for one that no quotes can hold */
function written(name: string, value: string): string {
  if (/^[^\s#'"`\\]+$/.test(value)) return value;
  const quote = ['"', "'", '`'].find(mark => !value.includes(mark));
  if (!quote || /[\r\n]/.test(value)) throw new Error(`${name} has a line break, or all kinds of quotes`);
  return `${quote}${value}${quote}`;
}

/**
 * The text of a file of settings with other values. All lines stay as they are whose values are the same, and so do comments; a
 * setting that was commented out is set there.
 */
export function withSettings(text: string, settings: Settings): string {
  const present = settingsIn(text);
  return Object.entries(settings)
    .filter(([name, value]) => present[name] !== value)
    .reduce((before, [name, value]) => withSetting(before, name, value), text);
}

/** A value, in quotes or not, and the comment after it. */
const VALUE = /^(?:"[^"]*"|'[^']*'|`[^`]*`|[^#]*?)(\s+#.*)?$/;

function withSetting(text: string, name: string, value: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const start = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*`);
  const isMine = (line: string) => start.test(line);
  const found = lines.findIndex(isMine);
  const place = found < 0 ? lines.findIndex(line => line.startsWith(`#${name}=`)) : found;
  const [, comment = ''] = found < 0 ? [] : (VALUE.exec(lines[found]!.replace(start, '')) ?? []);
  const line = `${name}=${written(name, value)}${comment}`;
  // A further line of the same setting would win.
  const kept = lines.flatMap((each, index) => (index === place ? [line] : isMine(each) ? [] : [each]));
  return `${[...kept, ...(place < 0 ? [line] : [])].join('\n')}\n`;
}
