const accents: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'î',
  o: 'ö',
  u: 'ü',
  y: 'ý',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  z: 'ž',
  l: 'ł',
  d: 'ð',
  t: 'ţ',
  A: 'Å',
  E: 'Ē',
  I: 'Ï',
  O: 'Ø',
  U: 'Û',
  C: 'Č',
  N: 'Ń',
  S: 'Ş',
  Y: 'Ÿ',
  D: 'Đ',
  L: 'Ł',
  T: 'Ť',
};

/** Applies `change` outside of ICU arguments (plurals included), by counting braces. */
function outsideBraces(message: string, change: (words: string) => string): string {
  let [depth, words, made] = [0, '', ''];
  const end = () => {
    made += change(words);
    words = '';
  };
  for (const char of message) {
    if (char === '{' && depth++ === 0) end();
    if (depth > 0) made += char;
    else words += char;
    if (char === '}') depth -= 1;
  }
  end();
  return made;
}

/** Pseudo-localization: each text is 40 % longer, has accents and is marked at both ends. */
export function pseudo(message: string): string {
  const marked = outsideBraces(message, words =>
    words.replace(/[a-z]/gi, letter => accents[letter] ?? letter),
  );
  const shown = message.replace(/\{[^{}]*\}/g, '').length;
  const longer = 'löñgér '.repeat(Math.ceil((shown * 0.4) / 7)).slice(0, Math.ceil(shown * 0.4));
  return `[${marked}${longer.trim() && ` ${longer.trim()}`}]`;
}
