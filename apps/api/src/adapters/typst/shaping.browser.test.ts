import { readFileSync } from 'node:fs';
import { type DrawnPage, type DrawnText, drawPdf } from '@fixpoint/testkit/pdf-page.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../../../e2e/browser.ts';
import { documentOf, writtenOn } from '../../../test/document/sample-documents.ts';
import { createTypstRenderer } from './document-renderer.ts';
import { families, fontsFor } from './fonts.ts';

/** Scripts whose letters change shape and position by their neighbours. */
const scripts = ['th', 'kh', 'la', 'mm', 'in'] as const;
/** Dots per point: 10 pt are 40 dots high. */
const SCALE = 4;
/** Share of ink without ink of the other image within a dot: edges are smoothed differently. */
const TOLERANCE = 0.03;

/** A rendered line of text: one byte of darkness per dot. */
type Line = { width: number; height: number; size: number; dark: string };
/**
 * A line that the browser has drawn as well; `letters`: the same with each letter drawn separately.
 */
type Compared = { text: string; stray: number; letters: number };

const renderer = createTypstRenderer();
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Awaited<ReturnType<typeof browser.newPage>>;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  await page.addScriptTag({ content: script });
  const needed = Object.entries(families).filter(([name]) => !/Japanese|Korean|Chinese/.test(name));
  for (const [family, files] of needed) {
    for (const [index, file] of files.entries()) {
      const face = { family, weight: ['400', '700'][index], bytes: readFileSync(file).toString('base64') };
      await page.evaluate(`addFont(${JSON.stringify(face)})`);
    }
  }
});
afterAll(() => browser?.close());

/** Lines of a page: pieces at one height that are closer together than two table cells. */
function linesOf({ texts, dots, width }: DrawnPage): Line[] {
  const lines: DrawnText[] = [];
  for (const piece of texts) {
    const line = lines.at(-1);
    const goesOn =
      line &&
      Math.abs(line.base - piece.base) < line.size / 2 &&
      piece.left > line.left - line.size / 2 &&
      piece.left < line.right + line.size * 0.8;
    if (!goesOn) lines.push({ ...piece });
    else {
      line.top = Math.min(line.top, piece.top);
      line.right = Math.max(line.right, piece.right);
      line.bottom = Math.max(line.bottom, piece.bottom);
    }
  }
  return lines.map(({ left, top, right, bottom, size }) => {
    const dark = new Uint8Array((right - left) * (bottom - top));
    for (let at = 0; at < dark.length; at += 1) {
      const x = left + (at % (right - left));
      const y = top + Math.floor(at / (right - left));
      dark[at] = 255 - dots[(y * width + x) * 4]!;
    }
    return { width: right - left, height: bottom - top, size, dark: Buffer.from(dark).toString('base64') };
  });
}

/**
 * Runs in the page: draws each line as well, crops both to their ink and counts the ink that only
 * one has.
 */
const script = `
window.addFont = async ({ family, weight, bytes }) => {
  document.fonts.add(await new FontFace(family, 'url(data:font/ttf;base64,' + bytes + ')', { weight }).load());
};
/** Ink relative to its own top left corner. */
const inkOf = (dark, width) => {
  const least = dark.reduce((most, dot) => Math.max(most, dot), 0) / 2;
  const points = [];
  let left = width;
  for (let i = 0; i < dark.length; i += 1) {
    if (dark[i] <= least) continue;
    points.push([i % width, Math.floor(i / width)]);
    left = Math.min(left, i % width);
  }
  return points.map(([x, y]) => [x - left, y - points[0][1]]);
};
/**
 * Whether a point is within a dot of some ink: nothing is shifted further than the width of an
 * edge.
 */
const EDGE = 4;
const nearTo = points => {
  const width = points.reduce((most, [x]) => Math.max(most, x), 0) + 2 * EDGE;
  const near = new Uint8Array(width * (points.at(-1)[1] + 2 * EDGE));
  for (const [x, y] of points) {
    for (const a of [-1, 0, 1]) for (const b of [-1, 0, 1]) near[(y + EDGE + b) * width + x + EDGE + a] = 1;
  }
  return (x, y) => x >= -EDGE && x < width - EDGE && near[(y + EDGE) * width + x + EDGE] === 1;
};
const moves = [0, -1, 1].flatMap(dx => [0, -1, 1].map(dy => [dx, dy]));
/** Best alignment: the first dot of ink may be one that only one image has. */
const strayOf = (one, other) => {
  const [nearOne, nearOther] = [nearTo(one), nearTo(other)];
  let best = 1;
  for (const [dx, dy] of moves) {
    const here = one.filter(([x, y]) => !nearOther(x + dx, y + dy)).length / one.length;
    const there = other.filter(([x, y]) => !nearOne(x - dx, y - dy)).length / other.length;
    best = Math.min(best, Math.max(here, there));
    if (best < ${TOLERANCE}) break;
  }
  return best;
};

const ink = new OffscreenCanvas(2600, 400).getContext('2d', { willReadFrequently: true });
const drawn = (text, { width, height }) => {
  const [wide, high] = [width + 100, height + 100];
  ink.clearRect(0, 0, wide, high);
  let x = 50;
  for (const part of text) {
    ink.fillText(part, x, height + 20);
    x += ink.measureText(part).width;
  }
  const { data } = ink.getImageData(0, 0, wide, high);
  return inkOf(Uint8Array.from({ length: wide * high }, (_, i) => data[i * 4 + 3]), wide);
};
const widthOf = text => {
  const { actualBoundingBoxLeft, actualBoundingBoxRight } = ink.measureText(text);
  return actualBoundingBoxLeft + actualBoundingBoxRight;
};
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Part of a text on a line, by the width of the line. */
const startOf = (text, width) => {
  const off = part => Math.abs(widthOf(part.trimEnd()) - width);
  if (off(text) < 4) return text;
  let best = text;
  let part = '';
  for (const { segment } of graphemes.segment(text)) {
    part += segment;
    if (off(part) <= off(best)) best = part;
  }
  return best;
};
window.compare = (texts, lines, fonts) => {
  const compared = [];
  for (const { text, bold } of texts) {
    for (let rest = text; rest !== ''; ) {
      const line = lines.shift();
      if (!line) throw new Error('no line says ' + rest);
      ink.font = (bold ? 'bold ' : '') + line.size + 'px ' + fonts;
      ink.textRendering = 'geometricPrecision';
      const start = startOf(rest, line.width);
      const printed = inkOf(Uint8Array.from(atob(line.dark), sign => sign.charCodeAt(0)), line.width);
      const stray = strayOf(printed, drawn([start.trim()], line));
      compared.push({ text: start, stray, letters: strayOf(printed, drawn(start.trim(), line)) });
      rest = rest.slice(start.length).trimStart();
    }
  }
  return { compared, left: lines.length };
};
`;

describe.runIf(renderer.isAvailable)('FU17 an invoice (needs its package: npm run setup)', () => {
  test.each(scripts)(
    'in %s looks line by line like the same text in a browser, and not like separate letters',
    async language => {
      const document = documentOf('invoice', language);
      const lines = linesOf(await drawPdf(await renderer.render(document), SCALE));
      const fonts = fontsFor(language).map(name => `"${name}"`);
      const given = [writtenOn(document), lines, fonts.join(', ')].map(each => JSON.stringify(each));
      const { compared, left } = await page.evaluate<{ compared: Compared[]; left: number }>(
        `compare(${given.join(', ')})`,
      );
      expect(left).toBe(0);
      expect(compared.filter(({ stray }) => stray >= TOLERANCE)).toEqual([]);
      expect(Math.max(...compared.map(({ letters }) => letters))).toBeGreaterThan(10 * TOLERANCE);
    },
  );
});
