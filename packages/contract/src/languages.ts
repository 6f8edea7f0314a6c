/** The 13 languages of the shop with their BCP 47 tags for `lang`, `Intl`, emails and invoices. */
export const languages = {
  en: { tag: 'en', name: 'English' },
  th: { tag: 'th-TH', name: 'ไทย' },
  cn: { tag: 'zh-Hans-CN', name: '简体中文' },
  kh: { tag: 'km-KH', name: 'ខ្មែរ' },
  la: { tag: 'lo-LA', name: 'ລາວ' },
  vn: { tag: 'vi-VN', name: 'Tiếng Việt' },
  id: { tag: 'id-ID', name: 'Bahasa Indonesia' },
  my: { tag: 'ms-MY', name: 'Bahasa Melayu' },
  mm: { tag: 'my-MM', name: 'မြန်မာ' },
  ph: { tag: 'fil-PH', name: 'Filipino' },
  kr: { tag: 'ko-KR', name: '한국어' },
  in: { tag: 'hi-IN', name: 'हिन्दी' },
  jp: { tag: 'ja-JP', name: '日本語' },
} as const;

export type Language = keyof typeof languages;
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];
export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);

/** Language of a stored or requested code; the default one for an unknown or missing code. */
export const languageOrDefault = (code: unknown): Language => (isLanguage(code) ? code : DEFAULT_LANGUAGE);

/** Codes that earlier standards had, and others for the same language. */
const ALIASES: Readonly<Record<string, string>> = { tl: 'fil', in: 'id' };

/**
 * The shop's language for a list of browser preferences (BCP 47 tags, best first); `en` if none
 * fits.
 */
export function languageFor(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [base = ''] = tag.toLowerCase().split('-');
    const found = languageCodes.find(code => languages[code].tag.split('-')[0] === (ALIASES[base] ?? base));
    if (found) return found;
  }
  return DEFAULT_LANGUAGE;
}
