/** Retired word → current word (docs/glossary.md). */
const RETIRED: readonly [RegExp, string][] = [
  [/^dut(?:y|ies)$/, 'scheduled task'],
  [/^attention$/, 'alert'],
  [/^letters?$/, 'email'],
  [/^papers?$/, 'document'],
  [/^anew$/, 'again, restart or re-encrypt'],
  [/^excess$/, 'unapplied'],
  [/^payback$/, 'out-of-band refund'],
];
/** Retired names whose parts are allowed. */
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
/** Allowed names with `letter`: of the alphabet, and a queue's dead letters. */
const ALLOWED = ['deadLetter', 'isLetter', 'letterSpacing'];
/** Files that are not checked: they speak of other protocols or of the alphabet, or test the renaming itself. */
const UNCHECKED =
  /^apps\/sandbox\/|^apps\/web\/|^packages\/ui\/|^e2e\/|standard-names\.server\.test\.ts$|^testkit\/src\/pseudo|\/typst\/shaping\.|^scripts\/checks\/word-rules/;
const LITERALS =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm;

const partsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map(part => part.toLowerCase());

const faultOf = (name: string): string | undefined =>
  NAMES.get(name) ??
  (ALLOWED.includes(name)
    ? undefined
    : RETIRED.find(([word]) => partsOf(name).some(part => word.test(part)))?.[1]);

/** Names in a file, and its own name, that use a retired word, one line each. */
export function wordFaults(path: string, text: string): string[] {
  if (UNCHECKED.test(path)) return [];
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
