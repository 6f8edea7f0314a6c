import { inflateSync } from 'node:zlib';

/** Content of a one-page PDF, read by the standard and without knowledge of its producer. */
export type ReadPdf = {
  /** Text runs in the order of the page. */
  pieces: string[];
  /** Attached files by name. */
  attached: Map<string, string>;
  /** Dictionaries and XMP as text. */
  source: string;
};

type Part = { dictionary: string; stream: Buffer | undefined };

function partsOf(pdf: Buffer): Map<number, Part> {
  const text = pdf.toString('latin1');
  const parts = new Map<number, Part>();
  for (const [, id, body] of text.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs)) {
    const [, dictionary = body!, stream] = /^(.*?>>)\s*stream\r?\n(.*)endstream$/s.exec(body!) ?? [];
    // Uses /Length (7.3.8.2), because the last byte of a stream may look like a line break.
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const bytes = stream === undefined ? undefined : Buffer.from(stream, 'latin1').subarray(0, length);
    parts.set(Number(id), {
      dictionary,
      stream: bytes && (/\/FlateDecode/.test(dictionary) ? inflateSync(bytes) : bytes),
    });
  }
  return parts;
}

const utf16 = (hex: string): string =>
  Buffer.from(hex.replace(/^FEFF/i, ''), 'hex').swap16().toString('utf16le');

/** The text of each glyph of a font (9.10.3). */
function toUnicode(cmap: string): Map<number, string> {
  const map = new Map<number, string>();
  for (const [, block] of cmap.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, code, text] of block!.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      map.set(Number.parseInt(code!, 16), utf16(text!));
    }
  }
  for (const [, block] of cmap.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, from, to, text] of block!.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = Number.parseInt(from!, 16);
      for (let code = first; code <= Number.parseInt(to!, 16); code += 1) {
        map.set(code, String.fromCodePoint(utf16(text!).codePointAt(0)! + code - first));
      }
    }
  }
  return map;
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
/** The bytes of a literal string (7.3.4.2), as hexadecimal pairs. */
function codesIn(literal: string): number[] {
  const bytes = literal.replace(/\\([0-7]{1,3}|.)/gs, (_, escaped: string) =>
    /[0-7]/.test(escaped) ? String.fromCharCode(Number.parseInt(escaped, 8)) : (escapes[escaped] ?? escaped),
  );
  return Array.from({ length: bytes.length / 2 }, (_, i) => Buffer.from(bytes, 'latin1').readUInt16BE(i * 2));
}

/** Pattern for the inside of a literal string: balanced brackets need no escape (7.3.4.2). */
const inside = (pairs: number): string =>
  `(?:\\\\.|[^\\\\()]${pairs > 0 ? `|\\(${inside(pairs - 1)}\\)` : ''})*`;
/** Tokens that open or close a span, select a font or show glyphs. */
const TOKEN = new RegExp(
  [
    '/\\w+ <<(?<span>.*?)>>\\s*BDC\\b',
    '\\b(?<begin>BMC)\\b',
    '\\b(?<end>EMC)\\b',
    '/(?<font>\\w+) [\\d.]+ Tf',
    `\\((?<shown>${inside(3)})\\)`,
    '<(?<codes>[0-9A-Fa-f]+)>',
  ].join('|'),
  'gs',
);
const ACTUAL = /\/ActualText\s*(?:<(?<hex>\w*)>|\((?<plain>(?:\\.|[^\\)])*)\))/s;

/** The text that a page shows. `ActualText` replaces the glyphs of its span (14.9.4). */
function piecesOf(content: string, fonts: Map<string, Map<number, string>>): string[] {
  const pieces: string[] = [];
  let glyphs = new Map<number, string>();
  /** For each open span, whether it has an ActualText. */
  const spans: boolean[] = [];
  for (const { groups } of content.matchAll(TOKEN)) {
    const { span, begin, end, font, shown, codes } = groups!;
    if (end) spans.pop();
    else if (span !== undefined || begin) {
      const { hex, plain } = ACTUAL.exec(span ?? '')?.groups ?? {};
      const actual = hex === undefined ? plain : utf16(hex);
      spans.push(actual !== undefined);
      if (actual !== undefined) pieces.push(actual);
    } else if (font) glyphs = fonts.get(font) ?? new Map();
    else if (!spans.includes(true)) {
      const all =
        shown !== undefined
          ? codesIn(shown)
          : (codes!.match(/.{4}/g) ?? []).map(code => Number.parseInt(code, 16));
      for (const code of all) pieces.push(glyphs.get(code) ?? '\ufffd');
    }
  }
  return pieces;
}

export function readPdf(pdf: Buffer): ReadPdf {
  const parts = partsOf(pdf);
  const all = [...parts.values()];
  const dictionaries = all.map(({ dictionary }) => dictionary);
  const page = dictionaries.find(each => /\/Type \/Page\b(?!s)/.test(each))!;
  const refs = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name, id]) => [name!, parts.get(Number(id))!] as const);
  const fonts = new Map(
    refs(/\/Font <<(.*?)>>/s.exec(page)?.[1] ?? '', /\/(\w+) (\d+) 0 R/g).map(([name, font]) => {
      const [[, cmap] = []] = refs(font.dictionary, /\/(ToUnicode) (\d+) 0 R/g);
      return [name, toUnicode(cmap?.stream?.toString('latin1') ?? '')];
    }),
  );
  const [[, content] = []] = refs(page, /\/(Contents) (\d+) 0 R/g);
  const files = dictionaries.flatMap(each => {
    const name = /\/UF? \(([^)]*)\)/.exec(each)?.[1];
    const [[, file] = []] = refs(each, /\/EF <<\s*\/(F) (\d+) 0 R/g);
    return name && file?.stream ? [[name, file.stream.toString('utf8')] as const] : [];
  });
  const xmp = all.filter(({ dictionary }) => /\/Type \/Metadata/.test(dictionary));
  return {
    pieces: piecesOf(content!.stream!.toString('latin1'), fonts),
    attached: new Map(files),
    source: [...dictionaries, ...xmp.map(({ stream }) => stream!.toString('utf8'))].join('\n'),
  };
}

/** Thai and Lao AM are written with a mark above at their end. */
const MARKED = /[\p{M}\u0e33\u0eb3]/u;
const bare = (text: string) => text.replace(/\s/gu, '');

/**
 * Compares the runs of a page with these texts in order, without line breaks. One tolerance: the producer starts a new run
 * where a mark stands at another height, and repeats the cluster of that mark.
 * @returns how many characters were found; all texts were found when it equals their length
 */
export function foundIn(pieces: readonly string[], texts: readonly string[]): { found: number; of: number } {
  const wanted = bare(texts.join(''));
  let places = new Set([0]);
  let found = 0;
  const said: string[] = [];
  for (const piece of pieces.map(bare).filter(Boolean)) {
    const next = new Set<number>();
    const again = MARKED.test(piece) && said.slice(-4).includes(piece);
    for (const place of places) {
      if (again) next.add(place);
      if (wanted.startsWith(piece, place)) next.add(place + piece.length);
    }
    if (next.size === 0) return { found, of: wanted.length };
    said.push(piece);
    places = next;
    found = Math.max(...places);
  }
  return { found: places.has(wanted.length) ? wanted.length : found, of: wanted.length };
}
