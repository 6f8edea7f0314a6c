import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { mailTexts } from '@fixpoint/texts/mails.ts';
import { IntlMessageFormat } from 'intl-messageformat';

/** What a letter says; the same content is written as text and as HTML. */
export type LetterContent = {
  subject: string;
  preview: string;
  paragraphs: string[];
  /** A one-time code, in a block of its own that copies well. */
  code?: string;
  rows?: { label: string; value: string }[];
  action?: { label: string; url: string };
  notes?: string[];
};

export type Brand = { name: string; support: string };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`);

/** Fills a text of the mails in the customer's language. */
export function mailText(language: Language, brand: Brand) {
  const texts = mailTexts(language);
  return (key: string, values: Record<string, string | number> = {}): string =>
    String(
      new IntlMessageFormat(texts[key]!, `${languages[language].tag}-u-nu-latn`).format({
        brand: brand.name,
        support: brand.support,
        ...values,
      }),
    );
}

/** Plain-text form. */
export function letterText(t: ReturnType<typeof mailText>, content: LetterContent): string {
  const rows = content.rows?.map(row => `${row.label}: ${row.value}`).join('\n');
  return [
    t('greeting'),
    ...content.paragraphs,
    content.code,
    rows,
    content.action && `${content.action.label}:\n${content.action.url}`,
    ...(content.notes ?? []),
    t('help'),
    t('closing'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** HTML form: one column, no images, colours that hold in dark mode. */
export function letterHtml(
  language: Language,
  t: ReturnType<typeof mailText>,
  content: LetterContent,
): string {
  const p = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const rows = content.rows
    ?.map(
      row =>
        `<tr><td style="padding:4px 16px 4px 0;color:#6b6880">${escapeHtml(row.label)}</td>` +
        `<td style="padding:4px 0;text-align:right">${escapeHtml(row.value)}</td></tr>`,
    )
    .join('');
  const action = content.action && {
    label: escapeHtml(content.action.label),
    url: escapeHtml(content.action.url),
  };
  return [
    `<!doctype html><html lang="${languages[language].tag}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(content.subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif">',
    `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>`,
    '<div style="max-width:560px;margin:0 auto">',
    p(t('greeting')),
    ...content.paragraphs.map(p),
    content.code
      ? `<p style="margin:24px 0;font:700 32px/1.2 ui-monospace,monospace;letter-spacing:4px">${escapeHtml(content.code)}</p>`
      : '',
    rows ? `<table style="width:100%;border-collapse:collapse;margin:0 0 16px">${rows}</table>` : '',
    action
      ? `<p style="margin:24px 0"><a href="${action.url}" style="display:inline-block;padding:12px 24px;border-radius:10px;background:#c2410c;color:#ffffff;text-decoration:none;font-weight:600">${action.label}</a></p>` +
        `<p style="margin:0 0 16px;font-size:14px">${escapeHtml(t('linkHint'))}<br><a href="${action.url}">${action.url}</a></p>`
      : '',
    ...(content.notes ?? []).map(p),
    p(t('help')),
    p(t('closing')),
    '</div></body></html>',
  ].join('');
}
