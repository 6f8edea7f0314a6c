import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type Methods } from '@embedpdf/pdfium';

/** A text object: the box of its ink in dots from the top left, its baseline, and its size. */
export type DrawnText = {
  left: number;
  top: number;
  right: number;
  bottom: number;
  base: number;
  size: number;
};
/** The first page of a PDF as a viewer shows it. */
export type DrawnPage = {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each dot. */
  dots: Uint8ClampedArray;
  /** In the order of the content stream. */
  texts: DrawnText[];
};

/** Constants of PDFium's header: four bytes a dot, red first; white; a text object. */
const [BGRA, REVERSED, WHITE, TEXT] = [4, 0x10, 0xffffffff, 1];

type Pdfium = Methods & {
  pdfium: {
    /** A new view whenever the memory has grown. */
    HEAPU8: Uint8Array;
    wasmExports: { malloc(size: number): number; free(at: number): void };
  };
};
let opened: Promise<Pdfium> | undefined;
/** PDFium, which shows PDFs in Chrome. */
const viewer = (): Promise<Pdfium> => {
  opened ??= (async () => {
    const file = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
    const pdfium = (await init({ wasmBinary: readFileSync(file) } as object)) as unknown as Pdfium;
    pdfium.PDFiumExt_Init();
    return pdfium;
  })();
  return opened;
};

/** Renders the first page of a PDF. @param scale dots per point (1/72 inch) */
export async function drawPdf(pdf: Buffer, scale: number): Promise<DrawnPage> {
  const pdfium = await viewer();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const file = malloc(pdf.length);
  pdfium.pdfium.HEAPU8.set(pdf, file);
  const document = pdfium.FPDF_LoadMemDocument(file, pdf.length, '');
  const page = pdfium.FPDF_LoadPage(document, 0);
  const width = Math.ceil(pdfium.FPDF_GetPageWidthF(page) * scale);
  const height = Math.ceil(pdfium.FPDF_GetPageHeightF(page) * scale);
  const drawn = {
    width,
    height,
    dots: dotsOf(pdfium, page, width, height),
    texts: textsOf(pdfium, page, scale),
  };
  pdfium.FPDF_ClosePage(page);
  pdfium.FPDF_CloseDocument(document);
  free(file);
  return drawn;
}

function dotsOf(pdfium: Pdfium, page: number, width: number, height: number): Uint8ClampedArray {
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, REVERSED);
  const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const dots = new Uint8ClampedArray(pdfium.pdfium.HEAPU8.slice(at, at + width * height * 4).buffer);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return dots;
}

function textsOf(pdfium: Pdfium, page: number, scale: number): DrawnText[] {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const high = pdfium.FPDF_GetPageHeightF(page);
  const at = malloc(24);
  const said = (count: number) =>
    [...new Float32Array(pdfium.pdfium.HEAPU8.slice(at, at + count * 4).buffer)] as number[];
  const texts = Array.from({ length: pdfium.FPDFPage_CountObjects(page) }, (_, index) => {
    const object = pdfium.FPDFPage_GetObject(page, index);
    if (pdfium.FPDFPageObj_GetType(object) !== TEXT) return [];
    // Points, from the bottom left.
    pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
    const [left, bottom, right, top] = said(4) as [number, number, number, number];
    pdfium.FPDFPageObj_GetMatrix(object, at);
    const base = said(6)[5]!;
    const larger = said(4)[3]!;
    pdfium.FPDFTextObj_GetFontSize(object, at);
    return [
      {
        left: Math.floor(left * scale),
        top: Math.floor((high - top) * scale),
        right: Math.ceil(right * scale),
        bottom: Math.ceil((high - bottom) * scale),
        base: (high - base) * scale,
        size: said(1)[0]! * larger * scale,
      },
    ];
  });
  free(at);
  return texts.flat();
}
