import { CODE_POINTS, type Coverage, coverageOf } from './font-coverage.ts';
import { families, large } from './fonts.ts';

/** Per code point the families that have it in regular and in bold: one bit each, in the order of `families`. */
function readMasks(): Uint16Array {
  const masks = new Uint16Array(CODE_POINTS);
  for (const [index, files] of Object.values(families).entries()) {
    const [regular, bold] = files.map(coverageOf) as [Coverage, Coverage];
    for (let code = 0; code < CODE_POINTS; code += 1)
      if (regular[code]! & bold[code]!) masks[code]! |= 1 << index;
  }
  return masks;
}
let masks: Uint16Array | undefined;

const ALL = 0xff_ff;
const SMALL = Object.keys(families).reduce((mask, name, i) => (large.has(name) ? mask : mask | (1 << i)), 0);
/** Every font has these: no font is read for them. */
const PLAIN = /^[\n\x20-\x7e]*$/;
const REPLACEMENT = '\u{fffd}';
/** Spaces, line ends, and what only says where a line or a cluster breaks: they need no glyph. */
const NEEDS_NO_GLYPH = /[\n \u00ad\u200b-\u200d\u2060]/;
/** Invisible. Typst crashes at some of those that turn the direction of writing. */
const INVISIBLE = /(?![\u00ad\u200b-\u200d\u2060])(?:\p{Default_Ignorable_Code_Point}|\u180f)/gu;
/** Never displayed, even where a font maps them. */
const NEVER = /(?!\n)[\p{Cc}\p{Cs}]/u;
/** Drawn as one with what they stand on. Typst still counts two Vedic signs among them that have become letters. */
const MARK = /[\p{M}\u1cf2\u1cf3]/u;

/** Without what has no look of its own. */
const visible = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(INVISIBLE, '');

function maskOf(character: string): number {
  if (NEVER.test(character)) return 0;
  if (NEEDS_NO_GLYPH.test(character)) return ALL;
  masks ??= readMasks();
  return masks[character.codePointAt(0)!]!;
}

/**
 * Characters of a text with the families that can draw each. A mark needs one that has what it stands on, too: both are
 * drawn as one.
 */
function* drawn(text: string): Generator<{ character: string; mask: number }> {
  let base = ALL;
  for (const character of visible(text)) {
    const own = maskOf(character);
    const mask = MARK.test(character) ? own & base : own;
    yield { character, mask };
    if (mask !== ALL) base = mask === 0 ? maskOf(REPLACEMENT) : mask;
    else if (/\s/u.test(character)) base = ALL;
  }
}

/** Characters of a text that documents cannot show, each once, in the order of the text. */
export const undisplayable = (text: string): string[] =>
  PLAIN.test(text)
    ? []
    : [...new Set([...drawn(text)].filter(({ mask }) => mask === 0).map(({ character }) => character))];

/** A text with U+FFFD (�) in place of each character that documents cannot show. */
export const displayable = (text: string): string =>
  PLAIN.test(text)
    ? text
    : [...drawn(text)].map(({ character, mask }) => (mask === 0 ? REPLACEMENT : character)).join('');

/** Whether a displayable text has a character that only one of the large fonts has. */
export const needsLargeFont = (text: string): boolean =>
  [...drawn(text)].some(({ mask }) => (mask & SMALL) === 0);
