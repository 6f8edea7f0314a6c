/** Digits with common separators between them: a blank, a dash, a dot, an underscore. */
const RUN = /\d(?:[\s._–—-]{0,3}\d){12,}/g;
const [LEAST, MOST] = [13, 19];

/** The check digit of card numbers (Luhn, ISO/IEC 7812). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Whether digits may be a card number. Those in use begin with 2–6. */
const passes = (digits: string): boolean =>
  digits.length >= LEAST && digits.length <= MOST && /^[2-6]/.test(digits) && hasCheckDigit(digits);

type Place = { start: number; end: number };

/**
 * Positions of card numbers in a run of digits. Only whole groups count, because a date may follow.
 */
function placesIn(run: string): Place[] {
  const groups = [...run.matchAll(/\d+/g)];
  const places: Place[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < MOST; last++) {
      digits += groups[last]![0];
      if (!passes(digits)) continue;
      places.push({ start: groups[first]!.index, end: groups[last]!.index + groups[last]![0].length });
      first = last;
      break;
    }
  }
  return places;
}

/**
 * Whether a text contains what passes for a card number (S41). One in ten numbers of that length
 * does by chance.
 */
export const holdsCardNumber = (text: string): boolean =>
  (text.normalize('NFKC').match(RUN) ?? []).some(run => placesIn(run).length > 0);

/** Replaces card numbers in a text. */
export const maskCardNumbers = (text: string): string =>
  text.replace(RUN, run => {
    let [masked, at] = ['', 0];
    for (const { start, end } of placesIn(run)) {
      masked += `${run.slice(at, start)}[card number]`;
      at = end;
    }
    return masked + run.slice(at);
  });
