import { readFileSync } from 'node:fs';
import { languages } from '@fixpoint/contract/languages.ts';
import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';
import { renderSVG } from 'uqr';
import type { Paper } from '../../ports/printer.ts';
import { fontFiles, fontsFor } from './fonts.ts';

/** The process that prints: what it does takes too long for the one that answers others. */
const page = readFileSync(new URL('./paper.typ', import.meta.url), 'utf8');
const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles() }] });

/** What is printed reaches the template as data: nothing in it can be markup. */
function inputOf({ language, code, issuedAt, ...paper }: Paper): string {
  const [tag, region = ''] = languages[language].tag.replace('-Hans', '').split('-');
  const date = {
    year: issuedAt.getUTCFullYear(),
    month: issuedAt.getUTCMonth() + 1,
    day: issuedAt.getUTCDate(),
  };
  const drawn = code && { svg: renderSVG(code.holds, { border: 0 }), label: code.label };
  return JSON.stringify({
    ...paper,
    ...(drawn && { code: drawn }),
    tag,
    region,
    date,
    fonts: fontsFor(language),
  });
}

function pdfOf(paper: Paper): Buffer {
  const compiled = compiler.compile({ mainFileContent: page, inputs: { paper: inputOf(paper) } });
  if (!compiled.result) throw new Error(`a paper does not compile: ${told(compiled.takeError())}`);
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: 'a-3b',
    creationTimestamp: Math.floor(paper.issuedAt.getTime() / 1000),
  });
  // What it remembers of earlier papers would only grow.
  compiler.evictCache(1);
  return pdf;
}

const told = (error: NodeError | null): string =>
  JSON.stringify(error?.shortDiagnostics.map(({ message }) => message));

process.on('message', ({ id, paper }: { id: number; paper: Paper }) => {
  try {
    process.send!({ id, pdf: pdfOf(paper) });
  } catch (error) {
    process.send!({ id, error: String(error) });
  }
});
// It ends with the shop, not before: what stops all at once (Ctrl-C, systemd) lets the shop come to its end.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
