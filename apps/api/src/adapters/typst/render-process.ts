import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { languages } from '@fixpoint/contract/languages.ts';
import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';
import { renderSVG } from 'uqr';
import type { DocumentContent } from '../../ports/document-renderer.ts';
import { fontFiles, fontsFor, needsLarge } from './fonts.ts';

/** The rendering process: compiling a document would block the event loop of the worker. */
const page = readFileSync(new URL('./document.typ', import.meta.url), 'utf8');
const compilerWith = (withLarge: boolean) =>
  NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles(withLarge) }] });
const small = compilerWith(false);
/**
 * Loading the large fonts takes ten times as long as rendering, so it waits for the first document
 * that needs them.
 */
let large: NodeCompiler | undefined;

// This process is killed in the end, which would lose the compile cache.
flushCompileCache();

/** Builds the template's input. Everything is data and cannot become markup. */
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
 * Renders a document, with all fonts if the small ones lack a glyph. The choice depends on the
 * document alone and not on earlier ones, so that the same document has the same bytes.
 */
function pdfOf(document: DocumentContent): Buffer {
  if (!needsLarge(document.language)) {
    try {
      return render(small, document);
    } catch {
      // A glyph is missing: tried again below with all fonts.
    }
  }
  large ??= compilerWith(true);
  return render(large, document);
}

function render(compiler: NodeCompiler, document: DocumentContent): Buffer {
  const compiled = compiler.compile({ mainFileContent: page, inputs: { document: inputOf(document) } });
  if (!compiled.result) throw new Error(`a document does not compile: ${messagesOf(compiled.takeError())}`);
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: 'a-3b',
    creationTimestamp: Math.floor(document.issuedAt.getTime() / 1000),
  });
  // Its cache of earlier documents would only grow.
  compiler.evictCache(1);
  return pdf;
}

const messagesOf = (error: NodeError | null): string =>
  JSON.stringify(error?.shortDiagnostics.map(({ message }) => message));

process.on('message', ({ id, document }: { id: number; document: DocumentContent }) => {
  try {
    process.send!({ id, pdf: pdfOf(document) });
  } catch (error) {
    process.send!({ id, error: String(error) });
  }
});
// It ends with the shop, not before: a signal to all processes (Ctrl-C, systemd) must let the shop
// finish.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
