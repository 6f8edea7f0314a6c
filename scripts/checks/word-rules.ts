/** Words that went, and what the same thing is called now (docs/glossary.md). */
const GONE: readonly [RegExp, string][] = [
  [/^dut(?:y|ies)$/, 'scheduled task'],
  [/^attention$/, 'alert'],
  [/^letters?$/, 'email'],
  [/^papers?$/, 'document'],
  [/^anew$/, 'again, restart or re-encrypt'],
  [/^excess$/, 'unapplied'],
  [/^payback$/, 'out-of-band refund'],
];
/** Whole names, of which each part is good by itself. */
const NAMES = new Map([
  ['giveBack', 'refundInvoice'],
  ['givenBack', 'refunded'],
  ['owedBack', 'refundDue'],
  ['keptAnswer', 'idempotencyRecord'],
  ['sealAnew', 'reEncrypt'],
  ['kept_answer', 'idempotency_record'],
  ['host_change', 'pending_change'],
  ['ended_machine', 'fenced_host'],
  ['hand_payback', 'out_of_band_refund'],
]);
/** Letters of the alphabet, and a queue's dead letters. */
const LETTERS = ['deadLetter', 'isLetter', 'letterSpacing'];
/** The mail server of the sandbox, what a browser shows of the alphabet, and the test of the file that renamed the tables. */
const ELSEWHERE =
  /^apps\/sandbox\/|^apps\/web\/|^packages\/ui\/|^e2e\/|standard-names\.server\.test\.ts$|^testkit\/src\/pseudo|\/typst\/shaping\.|^scripts\/checks\/word-rules/;
const LITERALS =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm;

const partsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map(part => part.toLowerCase());

const faultOf = (name: string): string | undefined =>
  NAMES.get(name) ??
  (LETTERS.includes(name)
    ? undefined
    : GONE.find(([gone]) => partsOf(name).some(part => gone.test(part)))?.[1]);

/** Names of a file, and its own, that use a word that went, one line each. */
export function wordFaults(path: string, text: string): string[] {
  if (ELSEWHERE.test(path)) return [];
  const code = text.replace(LITERALS, literal => literal.replace(/[^\n]/g, ' '));
  const names = Array.from(code.matchAll(/[A-Za-z_]\w*/g), ({ 0: name, index }) => ({ name, index }));
  const found = names.flatMap(({ name, index }) => {
    const word = faultOf(name);
    return word ? [`${path}:${code.slice(0, index).split('\n').length}: ${name}: say ${word}`] : [];
  });
  const file = path.split('/').at(-1)!.replace(/\..*/, '');
  const word = faultOf(file);
  return word ? [...found, `${path}: the file's name: say ${word}`] : found;
}
