import type { Language } from '@fixpoint/contract/languages.ts';

/** Word joiner: invisible, forbids a line break. */
const JOINER = '\u2060';

/* Each is `before|after`, two expressions between which no line may break. */

const thai = [
  ...['แพ็กเก|จ', 'แพ็กเกจเริ่|ม', 'แพ็กเกจระ|บุ', 'แบน|ด์', 'วิด|ท์', 'คอย|น์', 'คลา|วด์', 'เด|สก์', 'แช|ต'],
  ...['วอลเล็|ต', 'เท|อร์มิ', 'เทอร์|มิ', 'เทอร์มิ|นัล', 'แล้วก|ลับ', 'ขอบ|อก', 'ดูรา|คา', 'มีน|โย', 'มีนโย|บาย'],
  ...['การก|ระ', 'การกระ|ทำ', 'ผลก|ระ', 'ผลกระ|ทบ'],
];
const lao = ['\\S|ໆ', 'ເຊີ|ບ', 'ໂຫຼ|ດ', 'ແບ|ນ', 'ເມ|ວ', 'ຄ|ລາວ', 'ບ່|ອນ'];
const khmer = ['ថេ|រលាក់'];
const burmese = [
  // Words from English, most of which would break inside a syllable.
  ...['ကော|င့်', 'မေး|လ်', 'ပ|က်ကေ', 'အ|က်ပ်', 'က်|ပ်', 'လု|ဒ်', 'ဝ|ဘ်', 'လ|င့်', 'င့်|ခ်', 'ဒ|စ်', 'ဘ|စ်'],
  ...['ကွို|င်', 'ချ|တ်', '၎|င်း', 'လ|က်ပ်', 'အော့|ဖ်', 'စ်|ခ်', 'အွ|န်', 'ဖို|င်း', 'ဘေ့|စ်', 'ချ|စ်', 'ပ်|စ်'],
  ...['ဆော့|ဖ်', 'ဒ|က်', 'က်|စ်', 'ဘို|က်', 'စ်|ပ်', 'လ|စဉ်', 'ပေါ့|တ်', 'ပ|ရို', 'စ|ကင်'],
  ...['အ|ကောင့်', 'အီး|မေး', 'ဒေါင်း|လုဒ်', 'အပ်|လုဒ်'],
  // The ending that makes a noun, and “if”.
  ...['[\\p{L}\\p{M}]|မှု', 'ပါ|က(?=[ ။၊])'],
  // The “not” before a verb.
  'မ|[က-အ](?!့?်)',
];

const anyOf = (places: string[]): RegExp =>
  new RegExp(places.map(place => place.replace(/(.*)\|(.*)/u, '(?<=$1)(?=$2)')).join('|'), 'gu');
const joints: Partial<Record<Language, RegExp>> = {
  th: anyOf(thai),
  la: anyOf(lao),
  mm: anyOf(burmese),
  kh: anyOf(khmer),
};

/**
 * Inserts joiners where browsers would break a line inside a word. Burmese, Lao and Thai put no
 * spaces between words, and the browsers' dictionary lacks some, such as “email” in Burmese. In
 * Khmer, Chromium breaks one of our words.
 */
export function joinWords(language: Language, text: string): string {
  const places = joints[language];
  return places ? text.replace(places, JOINER) : text;
}
