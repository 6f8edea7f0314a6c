/**
 * Common email domains of our customers. The whole list is in the page: no address is sent anywhere
 * to be checked.
 */
const domains = (
  'gmail.com googlemail.com hotmail.com outlook.com live.com msn.com windowslive.com yahoo.com ymail.com rocketmail.com ' +
  'icloud.com me.com mac.com proton.me protonmail.com pm.me aol.com mail.com email.com gmx.com gmx.net gmx.de web.de ' +
  'zoho.com fastmail.com hey.com tutanota.com yandex.com yandex.ru mail.ru qq.com foxmail.com 163.com 126.com sina.com ' +
  'sohu.com aliyun.com naver.com daum.net hanmail.net kakao.com nate.com yahoo.co.jp docomo.ne.jp softbank.ne.jp ' +
  'ezweb.ne.jp au.com nifty.com outlook.jp hotmail.co.jp yahoo.co.th hotmail.co.th yahoo.com.vn yahoo.co.id ' +
  'yahoo.com.ph yahoo.com.my yahoo.com.sg yahoo.co.in yahoo.in rediffmail.com yahoo.co.uk hotmail.co.uk outlook.co.th'
).split(' ');

/** Mistyped endings → the intended one. */
const endings: Readonly<Record<string, string>> = {
  con: 'com',
  cmo: 'com',
  ocm: 'com',
  vom: 'com',
  xom: 'com',
  comm: 'com',
  coom: 'com',
  cim: 'com',
  cpm: 'com',
  ent: 'net',
  nett: 'net',
  ogr: 'org',
  orgg: 'org',
};

/**
 * Suggests the intended address; undefined if nothing looks mistyped. Only a suggestion: unusual
 * addresses can stay.
 */
export function suggestEmail(typed: string): string | undefined {
  const [, name, written] = /^(.+)@([^@\s]+)$/.exec(typed.trim()) ?? [];
  if (!name || !written) return undefined;
  const domain = written.toLowerCase();
  if (domains.includes(domain)) return undefined;
  const ending = domain.split('.').at(-1) ?? '';
  const corrected = endings[ending] ? domain.slice(0, -ending.length) + endings[ending] : domain;
  const known = domains.includes(corrected) ? corrected : nearest(corrected);
  const intended = known ?? corrected;
  return intended === domain ? undefined : `${name}@${intended}`;
}

/**
 * The known domain within one typo, two for a long one; undefined if the domain may well be real.
 */
function nearest(domain: string): string | undefined {
  const slips = domain.length >= 9 ? 2 : 1;
  const [best] = domains
    .map(known => ({ known, distance: distance(domain, known) }))
    .filter(each => each.distance <= slips && each.known[0] === domain[0])
    .filter(each => !isOtherCountry(each.known, domain))
    .sort((a, b) => a.distance - b.distance);
  return best?.known;
}

/** Whether both end in a country, in different ones: large providers have a domain in many of them. */
function isOtherCountry(known: string, typed: string): boolean {
  const [one, other] = [known, typed].map(domain => /\.([a-z]{2})$/.exec(domain)?.[1]);
  return one !== undefined && other !== undefined && one !== other;
}

/**
 * Edit distance: letters left out, added, replaced or swapped (Damerau–Levenshtein, restricted).
 */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
        swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
