import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { languages } from '@fixpoint/contract/languages.ts';
import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';
import { renderSVG } from 'uqr';
import type { DocumentContent } from '../../ports/document-renderer.ts';
import { displayable, needsLargeFont } from './displayable.ts';
import type { DocumentLook } from './document-renderer.ts';
import { fontFiles, fontsFor, needsLarge } from './fonts.ts';

/** Runs in a process of its own: rendering takes too long for one that serves other calls. */
const page = readFileSync(new URL('./document.typ', import.meta.url), 'utf8');
const ownLogo = readFileSync(new URL('./logo.svg', import.meta.url), 'utf8');
const compilerWith = (withLarge: boolean) =>
  NodeCompiler.create({ fontArgs: [{ fontBlobs: fontFiles(withLarge) }] });
const small = compilerWith(false);
/** Loaded for the first document that needs it: reading the large fonts takes ten times as long as rendering. */
let large: NodeCompiler | undefined;

// The process is killed in the end, and Node would not write its compile cache then.
flushCompileCache();

/** The texts of a document with � for what no font has: in PDF/A, Typst refuses those. The XML keeps them. */
function shownOf({ xml, issuedAt, pay, ...texts }: DocumentContent): DocumentContent {
  const shown = <T>(of: T): T =>
    JSON.parse(JSON.stringify(of), (_, value) => (typeof value === 'string' ? displayable(value) : value));
  return { ...shown(texts), ...(pay && { pay: { ...shown(pay), url: pay.url } }), xml, issuedAt };
}

/** A document reaches the template as data: nothing in it can be markup. */
function inputOf(
  { language, pay, issuedAt, ...document }: DocumentContent,
  { logo = ownLogo, links = '#3d34b0' }: DocumentLook,
): string {
  const [tag, region = ''] = languages[language].tag.replace('-Hans', '').split('-');
  const date = {
    year: issuedAt.getUTCFullYear(),
    month: issuedAt.getUTCMonth() + 1,
    day: issuedAt.getUTCDate(),
  };
  const payable = pay && { ...pay, code: renderSVG(pay.url, { border: 0 }) };
  return JSON.stringify({
    ...document,
    ...(payable && { pay: payable }),
    logo,
    links,
    tag,
    region,
    date,
    fonts: fontsFor(language),
  });
}

/**
 * Renders with the small fonts, or with all fonts where a text has a character that the small ones lack. Which fonts a
 * document gets depends on the document alone, so that the same document renders to the same bytes.
 */
function pdfOf(document: DocumentContent, look: DocumentLook): Buffer {
  const shown = shownOf(document);
  const { xml: _, ...texts } = shown;
  if (!needsLarge(document.language) && !needsLargeFont(JSON.stringify(texts)))
    return render(small, shown, look);
  large ??= compilerWith(true);
  return render(large, shown, look);
}

function render(compiler: NodeCompiler, document: DocumentContent, look: DocumentLook): Buffer {
  const compiled = compiler.compile({ mainFileContent: page, inputs: { document: inputOf(document, look) } });
  if (!compiled.result) throw new Error(`a document does not compile: ${told(compiled.takeError())}`);
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: 'a-3b',
    creationTimestamp: Math.floor(document.issuedAt.getTime() / 1000),
  });
  // The compiler's cache of earlier documents would only grow.
  compiler.evictCache(1);
  return pdf;
}

const told = (error: NodeError | null): string =>
  JSON.stringify(error?.shortDiagnostics.map(({ message }) => message));

process.on(
  'message',
  ({ id, document, look }: { id: number; document: DocumentContent; look: DocumentLook }) => {
    try {
      process.send!({ id, pdf: pdfOf(document, look) });
    } catch (error) {
      process.send!({ id, error: String(error) });
    }
  },
);
// Ends with the shop and not before it: Ctrl-C and systemd signal both, and the shop finishes its work first.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
