import { readFileSync } from 'node:fs';
import { readableAction, readableLinks } from '@fixpoint/domain/brand/palette.ts';
import { z } from 'zod';
import { setting, text } from './fields.ts';

/** A page, a document and a mail program show it small. */
const MOST_BYTES = 64 * 1024;

/** @param readable the colour itself, or the nearest in which nothing is unreadable */
const colour = (readable: (colour: string) => string, what: string) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: 'must be # with six hexadecimal digits', abort: true })
    .toLowerCase()
    .refine(value => readable(value) === value, {
      error: ({ input }) =>
        `is too light for ${what}, whose contrast must be 4.5:1; ${readable(String(input))} would do`,
    })
    .optional();

/** Whether every element of a drawing is closed where it must be: else documents cannot show it. */
function isWhole(svg: string): boolean {
  const open: string[] = [];
  const marked = svg.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[?!][^>]*>/gs, '');
  for (const [, end, name, own] of marked.matchAll(/<(\/?)([\w:.-]+)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>/g)) {
    if (end && open.pop() !== name) return false;
    if (!end && !own) open.push(name!);
  }
  return open.length === 0;
}

/** What is wrong with a logo; undefined: nothing. */
function faultOfLogo(svg: string): string | undefined {
  if (Buffer.byteLength(svg) > MOST_BYTES) return `must be ${MOST_BYTES / 1024} KiB or less`;
  const [root] = svg.match(/<svg\b[^>]*>/) ?? [];
  if (!root || !/<\/svg>\s*$/.test(svg)) return 'must be an SVG drawing, from <svg to </svg>';
  if (!isWhole(svg)) return 'has an element that is not closed';
  if (!/xmlns=["']http:\/\/www\.w3\.org\/2000\/svg["']/.test(root))
    return 'must say xmlns="http://www.w3.org/2000/svg"';
  if (!/\bviewBox=/.test(root)) return 'must have a viewBox, so that it can be shown in any size';
  if (/<(script|foreignObject|iframe)\b|\son\w+\s*=/i.test(svg))
    return 'must be a drawing alone, without scripts or foreign content';
  if (/\bhref\s*=\s*["'](?!#|data:)|url\(\s*["']?(?!#|["']?data:)|@import|<!ENTITY/i.test(svg))
    return 'must hold all of its parts, because browsers load no other file for it';
  return undefined;
}

/** Reads the file of a logo as it is checked: the setting is the drawing itself. */
const logo = text
  .transform((path, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input: path });
      return z.NEVER;
    };
    let svg: string;
    try {
      svg = readFileSync(path, 'utf8').replace(/^\u{feff}/u, '');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return refuse('there is no such file');
      return refuse(`the file cannot be read by the user of the shop (${code})`);
    }
    const fault = faultOfLogo(svg);
    return fault === undefined ? svg : refuse(fault);
  })
  .optional();

/** How the shop looks and what it is called; docs/operate/brand.md. */
export const brandSettings = {
  BRAND_NAME: setting(text.default('Fixpoint'), 'Name of the shop on pages, in emails and documents.'),
  BRAND_LOGO: setting(
    logo,
    'File of your logo, an SVG drawing about as wide as high, which stands before the name on pages and documents and is the icon in browsers.',
    { example: '/etc/fixpoint/logo.svg', byDefault: 'the fixed point' },
  ),
  BRAND_COLOR: setting(
    colour(readableLinks, 'text in it on a light page'),
    'Colour of links, marks and focus, from which the shop derives lighter and darker ones and those of the dark theme. Refused where text in it could not be read.',
    { example: '#3d34b0', byDefault: '`#3d34b0`' },
  ),
  BRAND_ACTION_COLOR: setting(
    colour(readableAction, 'white text on it'),
    'Colour of the main button of each page and email, with white text, and of the point before the name in emails.',
    { example: '#c2480a', byDefault: '`#c2480a`' },
  ),
};
