/** What the published lists lack: words of this trade and of late, and short walks over the keyboard. */
const words = new Set(
  `login willkommen bienvenue superuser instagram twitter whatsapp linkedin netflix spotify bitcoin may god fox bmw fortnite
  roblox seoul hanoi pilipinas laos myanmar burma red coder ubuntu debian mysql postgres postgresql openvpn vpn vpnuser
  wireguard subscription fixpoint staticip fixedip myvpn freevpn vpnaccess oldpassword yourpassword thepassword
  qwer qwertz zxcv zxcvb qaz wsx edc 1qaz 2wsx 3edc zaq zaq1 xsw2 1q2w a1s2 qwe asd zxc abc abcd abcde abcdef abcdefg
  abcdefgh aabb xyz xxx zzz aaa aa a`.split(/\s+/),
);

/** What people replace emails with. Undone before a password is compared, so that `P@ssw0rd` is `password`. */
const EMAILS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};
const plain = (text: string): string => text.replace(/[@4310!$57]/g, char => EMAILS[char]!);

/** A word with more than this around it counts as a password of its own. */
const DECORATION_MAX = 8;
/** Parts of an e-mail address or a brand that are shorter are in too many good passwords. */
const OWN_WORD_MIN = 4;

const DECORATION = /[\d@$!%*?&]/;

/** The word inside a password: every way to take up to eight digits and marks off its two ends. */
function* cores(lower: string): Generator<string> {
  for (let front = 0; front <= DECORATION_MAX; front += 1) {
    if (front > 0 && !DECORATION.test(lower.charAt(front - 1))) return;
    for (let back = 0; front + back <= DECORATION_MAX; back += 1) {
      if (back > 0 && !DECORATION.test(lower.charAt(lower.length - back))) break;
      yield lower.slice(front, lower.length - back);
    }
  }
}

/**
 * Whether a password that fits the rule is one of those that are tried first (S01): one of those that leak the most, a
 * walk over the keyboard, the shop's name or a part of the own e-mail address, each with the usual decorations —
 * capitals, `@` for `a`, digits and marks before and after, the word twice.
 * @param leaked passwords that leak the most, in lower case
 * @param own names that belong to this customer or this shop
 */
export function isCommonPassword(
  password: string,
  leaked: ReadonlySet<string>,
  own: readonly string[],
): boolean {
  const lower = password.normalize('NFC').toLowerCase();
  if (new Set(lower).size <= 4) return true;
  const owned = new Set(
    own.flatMap(text => [text, ...text.split(/[^a-z\d]/i)]).map(text => text.toLowerCase()),
  );
  const isWord = (core: string): boolean => {
    for (const form of [core, plain(core)]) {
      if (leaked.has(form) || words.has(form)) return true;
      if (form.length >= OWN_WORD_MIN && owned.has(form)) return true;
    }
    return false;
  };
  for (const core of cores(lower)) {
    if (isWord(core)) return true;
    const half = core.slice(0, core.length / 2);
    if (core === half + half && isWord(half)) return true;
  }
  return false;
}
