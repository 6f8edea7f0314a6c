import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { languages } from '@fixpoint/contract/languages.ts';
import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';
import { renderSVG } from 'uqr';
import type { PrintedDocument } from '../../ports/document-renderer.ts';
import { fontFiles, fontsFor, needsLarge } from './fonts.ts';

/** The process that prints: what it does takes too long for the one that answers others. */
const page = readFileSync(new URL('./document.typ', import.meta.url), 'utf8');
const compilerWith = (withLarge: boolean) =>
  NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles(withLarge) }] });
const small = compilerWith(false);
/** To read the large fonts takes ten times as long as to print: they wait for the first document that needs them. */
let large: NodeCompiler | undefined;

// In the end it is killed, and Node would keep nothing of what it has compiled.
flushCompileCache();

/** What is printed reaches the template as data: nothing in it can be markup. */
function inputOf({ language, code, issuedAt, ...document }: PrintedDocument): string {
  const [tag, region = ''] = languages[language].tag.replace('-Hans', '').split('-');
  const date = {
    year: issuedAt.getUTCFullYear(),
    month: issuedAt.getUTCMonth() + 1,
    day: issuedAt.getUTCDate(),
  };
  const drawn = code && { svg: renderSVG(code.holds, { border: 0 }), label: code.label };
  return JSON.stringify({
    ...document,
    ...(drawn && { code: drawn }),
    tag,
    region,
    date,
    fonts: fontsFor(language),
  });
}

/**
 * A name may be written otherwise than its document: what the small fonts lack is printed with all of them. Which ones a document has is
 * seen by the document alone, not by what was printed before it: the same document is the same bytes.
 */
function pdfOf(document: PrintedDocument): Buffer {
  if (!needsLarge(document.language)) {
    try {
      return printed(small, document);
    } catch {
      // Said below, where no font has it.
    }
  }
  large ??= compilerWith(true);
  return printed(large, document);
}

function printed(compiler: NodeCompiler, document: PrintedDocument): Buffer {
  const compiled = compiler.compile({ mainFileContent: page, inputs: { document: inputOf(document) } });
  if (!compiled.result) throw new Error(`a document does not compile: ${told(compiled.takeError())}`);
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: 'a-3b',
    creationTimestamp: Math.floor(document.issuedAt.getTime() / 1000),
  });
  // What it remembers of earlier documents would only grow.
  compiler.evictCache(1);
  return pdf;
}

const told = (error: NodeError | null): string =>
  JSON.stringify(error?.shortDiagnostics.map(({ message }) => message));

process.on('message', ({ id, document }: { id: number; document: PrintedDocument }) => {
  try {
    process.send!({ id, pdf: pdfOf(document) });
  } catch (error) {
    process.send!({ id, error: String(error) });
  }
});
// It ends with the shop, not before: what stops all at once (Ctrl-C, systemd) lets the shop come to its end.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
