/**
 * Common words that the published lists lack: of this trade, recent ones, and short walks over the
 * keyboard.
 */
const words = new Set(
  `login willkommen bienvenue superuser instagram twitter whatsapp linkedin netflix spotify bitcoin may god fox bmw fortnite
  roblox seoul hanoi pilipinas laos myanmar burma red coder ubuntu debian mysql postgres postgresql openvpn vpn vpnuser
  wireguard subscription fixpoint staticip fixedip myvpn freevpn vpnaccess oldpassword yourpassword thepassword
  qwer qwertz zxcv zxcvb qaz wsx edc 1qaz 2wsx 3edc zaq zaq1 xsw2 1q2w a1s2 qwe asd zxc abc abcd abcde abcdef abcdefg
  abcdefgh aabb xyz xxx zzz aaa aa a`.split(/\s+/),
);

/**
 * Substitutions for letters. They are undone before a password is compared, so that `P@ssw0rd` is
 * `password`.
 */
const SUBSTITUTES: Record<string, string> = {
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
const plain = (text: string): string => text.replace(/[@4310!$57]/g, char => SUBSTITUTES[char]!);

/** A word with more characters than this around it counts as a password of its own. */
const DECORATION_MAX = 8;
/** Shorter parts of an email address or a brand occur in too many good passwords. */
const OWN_WORD_MIN = 4;

const DECORATION = /[\d@$!%*?&]/;

/**
 * Candidates for the word inside a password: strips up to eight digits and marks from its two ends
 * in every way.
 */
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
 * Why a password that satisfies the rule is among those that attackers try first (S01): `own` for
 * a part of the shop's name or the customer's email address, `common` for a leaked one or a walk over
 * the keyboard, each with the usual decorations (capitals, `@` for `a`, digits and marks before and
 * after, the word twice). Undefined for a good one.
 * @param leaked most leaked passwords, in lower case
 * @param own names that belong to this customer or this shop
 */
export function weaknessOf(
  password: string,
  leaked: ReadonlySet<string>,
  own: readonly string[],
): 'own' | 'common' | undefined {
  const lower = password.normalize('NFC').toLowerCase();
  if (new Set(lower).size <= 4) return 'common';
  const owned = new Set(
    own.flatMap(text => [text, ...text.split(/[^a-z\d]/i)]).map(text => text.toLowerCase()),
  );
  const isOwn = (form: string) => form.length >= OWN_WORD_MIN && owned.has(form);
  const isCommon = (form: string) => leaked.has(form) || words.has(form);
  const forms = [...cores(lower)].flatMap(core => {
    const half = core.slice(0, core.length / 2);
    const all = core === half + half ? [core, half] : [core];
    return all.flatMap(word => [word, plain(word)]);
  });
  // Its customer can tell why at once; a list of leaked passwords they do not know.
  if (forms.some(isOwn)) return 'own';
  return forms.some(isCommon) ? 'common' : undefined;
}
