import type { Form } from './forms.ts';

/** Overlap of consecutive pieces in bytes: longer than any form with its context. */
export const OVERLAP = 1024;

/** Greatest distance in bytes between the two addresses of a packet or a table entry. */
const NEIGHBOURHOOD = 48;

/** First byte of an IPv4 header without options, and the protocols ICMP, TCP and UDP. */
const IPV4_HEADER = 0x45;
const PROTOCOLS = new Set([1, 6, 17]);

/**
 * Builds a search for all forms in a piece of bytes.
 * @returns a function that describes the forms found in a piece, each once
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
    if (isShort) return nearAnother(text, at, pattern);
    return !bounds?.test(text[at - 1] ?? '') && !bounds?.test(text[at + pattern.length] ?? '');
  }

  function nearAnother(text: string, at: number, own: string): boolean {
    const around = text.slice(Math.max(0, at - NEIGHBOURHOOD), at + NEIGHBOURHOOD);
    return short.some(other => other !== own && !isReversed(other, own) && around.includes(other));
  }

  return piece => {
    const text = piece.toString('latin1');
    if (!any.test(text)) return new Set();
    // Has the same length, because no character of Latin-1 becomes two.
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
 * Prefilter: hardly any piece matches, and one search for all forms takes a twelfth of the time of
 * a search per form. It ignores case, which finds too much rather than too little.
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

const isReversed = (one: string, other: string): boolean => one === [...other].reverse().join('');

/**
 * In a `struct sockaddr_in`: the family in this machine's byte order or the network's, the port,
 * the address.
 */
const inSocketAddress = (text: string, at: number): boolean =>
  ['\x02\0', '\0\x02'].includes(text.slice(Math.max(0, at - 4), Math.max(0, at - 2)));

/** Source or destination in the header of a packet. */
const inHeader = (text: string, at: number): boolean =>
  [12, 16].some(
    before => text.charCodeAt(at - before) === IPV4_HEADER && PROTOCOLS.has(text.charCodeAt(at - before + 9)),
  );
