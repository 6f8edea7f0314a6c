import { readFileSync } from 'node:fs';
import type { Language } from '@fixpoint/contract/languages.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../../e2e/browser.ts';
import { families, fontFiles, fontsFor } from './fonts.ts';

/** Scripts whose letters change their shape and place by what stands beside them. */
const scripts = { th: 'Thai', kh: 'Khmer', la: 'Lao', mm: 'Myanmar', in: 'Devanagari' } as const;
type Script = keyof typeof scripts;
const SIZE = 40;
/** Ink that has no ink of the other within a pixel, in parts of all ink: edges are smoothed differently. */
const TOLERANCE = 0.03;

const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles() }] });
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Awaited<ReturnType<typeof browser.newPage>>;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  await page.addScriptTag({ content: script });
});
afterAll(() => browser?.close());

/** The longest that a document says in its own words. */
const wordsOf = (language: Language): string[] =>
  Object.entries(written.mails[language])
    .flatMap(([key, text]) => (key.startsWith('paper.') && !text.includes('{') ? [text] : []))
    .sort((a, b) => b.length - a.length)
    .slice(0, 4);

/** A line as it stands on paper: the outlines that the printer draws. */
function printed(language: Language, text: string): string {
  const paper = JSON.stringify({ fonts: fontsFor(language), text });
  const compiled = compiler.compile({
    mainFileContent: `#let given = json(bytes(sys.inputs.given))
      #set page(width: auto, height: auto, margin: 20pt)
      #set text(font: given.fonts, fallback: false, size: ${SIZE}pt, lang: "${language}")
      #given.text`,
    inputs: { given: paper },
  });
  return compiler.plainSvg(compiled.result!);
}

/** Runs in the page: draws both, cuts them to their ink and counts what of one is not in the other. */
const script = `
const cut = (width, height, draw) => {
  const canvas = new OffscreenCanvas(width, height);
  const ink = canvas.getContext('2d', { willReadFrequently: true });
  ink.fillStyle = 'white';
  ink.fillRect(0, 0, width, height);
  ink.fillStyle = 'black';
  draw(ink);
  const { data } = ink.getImageData(0, 0, width, height);
  const points = [];
  for (let i = 0; i < width * height; i += 1) if (data[i * 4] < 128) points.push([i % width, Math.floor(i / width)]);
  const left = Math.min(...points.map(([x]) => x));
  const top = points[0][1];
  return points.map(([x, y]) => [x - left, y - top]);
};
const missing = (points, others) => {
  const there = new Set(others.map(([x, y]) => x * 10000 + y));
  const near = ([x, y]) => [-1, 0, 1].some(a => [-1, 0, 1].some(b => there.has((x + a) * 10000 + y + b)));
  return points.filter(point => !near(point)).length / points.length;
};
window.compareInk = async ({ svg, text, fonts, size, fontData, shaped }) => {
  for (const [family, bytes] of Object.entries(fontData)) {
    if ([...document.fonts].some(font => font.family === family)) continue;
    document.fonts.add(await new FontFace(family, 'url(data:font/ttf;base64,' + bytes + ')').load());
  }
  const image = new Image();
  image.src = 'data:image/svg+xml,' + encodeURIComponent(svg);
  await image.decode();
  const width = Math.ceil(image.width * 3 / 4) + 200;
  const height = Math.ceil(image.height * 3 / 4) + 100;
  const paper = cut(width, height, ink => ink.drawImage(image, 0, 0, image.width * 3 / 4, image.height * 3 / 4));
  const screen = cut(width, height, ink => {
    ink.font = size + 'px ' + fonts.map(name => '"' + name + '"').join(', ');
    ink.textRendering = 'geometricPrecision';
    if (shaped) return ink.fillText(text, 20, height / 2 + size / 2);
    let x = 20;
    for (const sign of text) {
      ink.fillText(sign, x, height / 2 + size / 2);
      x += ink.measureText(sign).width;
    }
  });
  return Math.max(missing(paper, screen), missing(screen, paper));
};
`;

async function strayInk(language: Script, shaped: boolean): Promise<number> {
  const own = ['Noto Sans', `Noto Sans ${scripts[language]}`];
  const fontData = Object.fromEntries(
    own.map(name => [name, readFileSync(families[name]![0]!).toString('base64')]),
  );
  let worst = 0;
  for (const text of wordsOf(language)) {
    const given = { svg: printed(language, text), text, fonts: own, size: SIZE, fontData, shaped };
    const stray = (await page.evaluate(`compareInk(${JSON.stringify(given)})`)) as number;
    worst = Math.max(worst, stray);
  }
  return worst;
}

test.each(Object.keys(scripts) as Script[])(
  'FU17 what is printed in %s looks as a browser shows it, and not as letter by letter',
  async language => {
    expect(await strayInk(language, true)).toBeLessThan(TOLERANCE);
    expect(await strayInk(language, false)).toBeGreaterThan(10 * TOLERANCE);
  },
);
