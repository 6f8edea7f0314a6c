/**
 * The digits of a one-time code as typed or pasted: spaces, dashes and other signs fall away, full-width and other
 * scripts' digits become 0–9 (a Burmese or Thai keyboard types its own), leading zeros stay, the rest is cut.
 */
export function parseCode(text: string, length = 6): string {
  return text
    .normalize('NFKC')
    .replace(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[໐-໙]/g, digit => String(digit.charCodeAt(0) - 0x0ed0))
    .replace(/[០-៩]/g, digit => String(digit.charCodeAt(0) - 0x17e0))
    .replace(/[၀-၉]/g, digit => String(digit.charCodeAt(0) - 0x1040))
    .replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x0966))
    .replace(/\D/g, '')
    .slice(0, length);
}
