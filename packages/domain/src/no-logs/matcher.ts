import type { Form } from './forms.ts';

/** In bytes: longer than any form with what stands around it. Pieces that follow each other share so much. */
export const OVERLAP = 1024;

/** As far from each other stand two addresses of one packet, or of one entry of a table. */
const COMPANY = 48;

/** IPv4 without options; then ICMP, TCP or UDP. */
const IPV4_HEADER = 0x45;
const PROTOCOLS = new Set([1, 6, 17]);

/**
 * Looks for all forms in bytes.
 * @returns what a piece holds, in words; the same words once
 */
export function createMatcher(forms: readonly Form[]): (piece: Buffer) => Set<string> {
  const patterns = forms.map(form => ({
    ...form,
    pattern: form.anyCase ? form.bytes.toLowerCase() : form.bytes,
  }));
  const short = patterns.filter(form => form.short).map(form => form.pattern);
  const any = anyOf(forms);

  function counts(form: (typeof patterns)[number], text: string, at: number) {
    const { bounds, pattern, short: isShort, turned } = form;
    if (isShort && !turned && (inSocketAddress(text, at) || inHeader(text, at))) return true;
    if (isShort) return inCompany(text, at, pattern);
    return !bounds?.test(text[at - 1] ?? '') && !bounds?.test(text[at + pattern.length] ?? '');
  }

  function inCompany(text: string, at: number, own: string): boolean {
    const around = text.slice(Math.max(0, at - COMPANY), at + COMPANY);
    return short.some(other => other !== own && !isTurn(other, own) && around.includes(other));
  }

  return piece => {
    const text = piece.toString('latin1');
    if (!any.test(text)) return new Set();
    // Of the same length: no character of Latin-1 becomes two.
    const lower = text.toLowerCase();
    const found = new Set<string>();
    for (const form of patterns) {
      const where = form.anyCase ? lower : text;
      for (let at = where.indexOf(form.pattern); at >= 0; at = where.indexOf(form.pattern, at + 1)) {
        if (!counts(form, text, at)) continue;
        found.add(form.what);
        break;
      }
    }
    return found;
  };
}

/**
 * Whether a piece is worth a closer look: as good as none is, and one look for all forms at once takes a twelfth of the time
 * that one for each takes. The case of letters is never looked at here, which finds too much rather than too little.
 */
const anyOf = (forms: readonly Form[]): RegExp =>
  new RegExp(
    forms
      .map(({ bytes }) =>
        bytes.replace(/[\s\S]/g, one => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`),
      )
      .join('|'),
    'i',
  );

const isTurn = (one: string, other: string): boolean => one === [...other].reverse().join('');

/** `struct sockaddr_in`: the family in this machine's order or the network's, the port, the address. */
const inSocketAddress = (text: string, at: number): boolean =>
  ['\x02\0', '\0\x02'].includes(text.slice(Math.max(0, at - 4), Math.max(0, at - 2)));

/** Sender or receiver in the header of a packet. */
const inHeader = (text: string, at: number): boolean =>
  [12, 16].some(
    before => text.charCodeAt(at - before) === IPV4_HEADER && PROTOCOLS.has(text.charCodeAt(at - before + 9)),
  );
