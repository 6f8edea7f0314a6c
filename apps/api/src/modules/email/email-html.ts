import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { type BrandColours, brandTokens } from '@fixpoint/domain/brand/palette.ts';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Html } from '@react-email/html';
import { Preview } from '@react-email/preview';
import { render } from '@react-email/render';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { type CSSProperties, createElement as h, type ReactNode } from 'react';
import type { Brand, Translate } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';

/** Line heights of scripts with tall glyphs. */
const leading: Partial<Record<Language, number>> = { th: 1.7, in: 1.7, la: 1.8, kh: 1.8, mm: 2, jp: 1.7 };

/** Line breaks between phrases or words, as on the pages. Mail programs that know neither value ignore it. */
const wordBreak: Partial<Record<Language, CSSProperties['wordBreak']>> = {
  jp: 'auto-phrase',
  kr: 'keep-all',
};

/*
 * Colours are inline, because some mail programs drop style sheets. The classes serve only the dark mode of the sheet below.
 */
const color = { canvas: '#fbf9f5', surface: '#ffffff', line: '#e6e0d5', ink: '#1a1735', muted: '#5d586d' };

/** Colours that show the brand: the operator's, or those of the pages (`packages/ui/src/tokens.css`). */
function brandColours(given: BrandColours) {
  const tokens = brandTokens(given);
  return {
    link: tokens.indigo ?? ['#3d34b0', '#aca5ff'],
    point: tokens.point ?? ['#ec5a14', '#ff7a33'],
    action: tokens.action?.[0] ?? '#c2480a',
  };
}

const darkSheet = ({ link, point }: ReturnType<typeof brandColours>) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas, .canvas td { background-color: #100e1f !important; }
  .card { background-color: #17142a !important; border-color: #2c2848 !important; }
  .card td { background-color: transparent !important; }
  .point { color: ${point[1]} !important; }
  .ink { color: #eeecf8 !important; }
  .muted { color: #aca7c6 !important; }
  .link { color: ${link[1]} !important; }
  .block { background-color: #0b0a17 !important; border-color: #2c2848 !important; }
  .row, .small { border-color: #2c2848 !important; }
}
@media (max-width: 480px) { .inner { padding: 24px 20px !important; } }`;

const fonts =
  '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", system-ui, sans-serif';

/** HTML form of an email: one card, no pictures, the same layout for all. Loads nothing from anywhere. */
export function emailHtml(
  language: Language,
  { t, brand }: { t: Translate; brand: Pick<Brand, 'name' | 'colours'> },
  content: EmailContent,
): Promise<string> {
  const colours = brandColours(brand.colours ?? {});
  const lineHeight = leading[language] ?? 1.6;
  const text = (style: CSSProperties = {}): CSSProperties => ({
    margin: '0 0 16px',
    fontFamily: fonts,
    fontSize: '16px',
    color: color.ink,
    textWrap: 'pretty',
    wordBreak: wordBreak[language],
    ...style,
    lineHeight,
  });
  const paragraph = (words: ReactNode, style?: CSSProperties, className = 'ink') =>
    h(Text, { key: String(words), className, style: text(style) }, words);
  const small = { fontSize: '14px', color: color.muted } as const;

  return render(
    h(
      Html,
      { lang: languages[language].tag },
      h(
        Head,
        null,
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
        h('title', null, content.subject),
        h('style', null, darkSheet(colours)),
      ),
      h(Preview, null, content.preview),
      h(
        Body,
        { className: 'canvas', style: { margin: 0, padding: '32px 12px', backgroundColor: color.canvas } },
        h(
          Container,
          { style: { maxWidth: '560px' } },
          h(
            Text,
            { className: 'ink', style: text(wordmark) },
            h(
              'span',
              { className: 'point', 'aria-hidden': true, style: { ...point, color: colours.point[0] } },
              '●',
            ),
            brand.name,
          ),
        ),
        h(
          Container,
          { className: 'card', style: card },
          inner(
            paragraph(t('greeting')),
            content.paragraphs.map(words => paragraph(words)),
            content.code && h(Section, { className: 'block', style: codeBlock }, codeText(content.code)),
            content.rows && table(content.rows),
            content.parts?.map(part => section(part)),
            content.action &&
              h(
                Button,
                {
                  className: 'action',
                  href: content.action.url,
                  style: { ...button, backgroundColor: colours.action },
                },
                content.action.label,
              ),
            content.notes?.map(words => paragraph(words)),
            paragraph(t('closing'), { margin: 0 }),
            h(
              'div',
              { className: 'small', style: smallPrint },
              content.action && actionAddress(content.action.url),
              paragraph(t('help'), { ...small, margin: 0 }, 'muted'),
            ),
          ),
        ),
      ),
    ),
  );

  /** Padding of a table cell: the only space that every mail program keeps. */
  function inner(...parts: ReactNode[]) {
    const cell = h('td', { className: 'inner', style: { padding: '32px' } }, ...parts);
    return h('table', { role: 'presentation', width: '100%' }, h('tbody', null, h('tr', null, cell)));
  }

  function actionAddress(url: string) {
    const words = [t('linkHint'), h('br', { key: 'br' }), textLink(url, url)];
    return h(Text, { className: 'muted', style: text(small) }, words);
  }

  function table(rows: NonNullable<EmailContent['rows']>) {
    const cell: CSSProperties = {
      ...text(),
      padding: '8px 0',
      borderBottom: `1px solid ${color.line}`,
      verticalAlign: 'top',
    };
    return h(
      'table',
      {
        width: '100%',
        cellPadding: 0,
        cellSpacing: 0,
        style: { borderCollapse: 'collapse', margin: '8px 0 24px' },
      },
      h(
        'tbody',
        null,
        rows.map(({ label, value, strong, url }, at) =>
          h(
            'tr',
            { key: at },
            h(
              'th',
              {
                scope: 'row',
                className: 'muted row',
                style: {
                  ...cell,
                  paddingRight: '16px',
                  fontWeight: 400,
                  color: color.muted,
                  textAlign: 'left',
                },
              },
              label,
            ),
            h(
              'td',
              {
                className: 'ink row',
                // Not “12” on one line and “months” on the next.
                style: { ...cell, fontWeight: strong ? 700 : 400, textAlign: 'right', textWrap: 'balance' },
              },
              url ? textLink(url, value) : value,
            ),
          ),
        ),
      ),
    );
  }

  /** One of several emails in one: under the name of what it is about. */
  function section({ title, paragraphs, action }: NonNullable<EmailContent['parts']>[number]) {
    return h(
      'div',
      { key: title, className: 'small', style: { ...smallPrint, margin: '0 0 8px' } },
      paragraph(title, { fontWeight: 700, margin: '0 0 8px' }),
      paragraphs.map(words => paragraph(words)),
      action && h(Text, { className: 'ink', style: text() }, textLink(action.url, action.label)),
    );
  }

  function textLink(url: string, words: string) {
    return h(
      'a',
      {
        key: 'a',
        className: 'link',
        href: url,
        style: { color: colours.link[0], overflowWrap: 'anywhere', wordBreak: 'break-word' } as const,
      },
      words,
    );
  }

  /** Digits spaced by style, so that the copied code has no spaces. One tap selects all of it. */
  function codeText(code: string) {
    return h('div', { className: 'ink', style: codeStyle }, code);
  }
}

const wordmark: CSSProperties = {
  margin: '0 0 16px',
  padding: '0 4px',
  fontSize: '20px',
  fontWeight: 700,
  letterSpacing: '-0.02em',
};
/** The fixed point as a character: mail programs block pictures until their reader allows them. */
const point: CSSProperties = { marginRight: '8px', fontSize: '18px' };
/** Small print: only some readers need it. */
const smallPrint: CSSProperties = {
  marginTop: '24px',
  paddingTop: '20px',
  borderTop: `1px solid ${color.line}`,
};
const card: CSSProperties = {
  maxWidth: '560px',
  backgroundColor: color.surface,
  border: `1px solid ${color.line}`,
  borderCollapse: 'separate',
  borderRadius: '14px',
};
const codeBlock: CSSProperties = {
  margin: '8px 0 24px',
  padding: '20px 8px',
  backgroundColor: '#f4f0e8',
  border: `1px solid ${color.line}`,
  borderCollapse: 'separate',
  borderRadius: '10px',
  textAlign: 'center',
};
const codeStyle: CSSProperties = {
  color: color.ink,
  fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSize: '34px',
  fontWeight: 700,
  lineHeight: 1.2,
  letterSpacing: '6px',
  userSelect: 'all',
};
const button: CSSProperties = {
  margin: '8px 0 24px',
  padding: '14px 28px',
  borderRadius: '10px',
  color: '#ffffff',
  fontFamily: fonts,
  fontSize: '16px',
  fontWeight: 600,
  textAlign: 'center',
};
