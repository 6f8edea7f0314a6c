import { saveFile } from '@fixpoint/ui/lib/save-file.ts';

/** Large enough for banking apps that read it from an album, with a quiet zone (ISO/IEC 18004). */
const MODULE = 12;
const QUIET = 4;
const LINE = 44;

/**
 * Saves a QR code as a picture: shared to the album on a phone, where banking apps can scan it,
 * else downloaded. `captions` stand below it, to recognise it later.
 */
export async function savePicture(text: string, captions: readonly string[], name: string): Promise<void> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const canvas = document.createElement('canvas');
  canvas.width = size * MODULE;
  canvas.height = canvas.width + captions.length * LINE + LINE / 2;
  const draw = canvas.getContext('2d');
  if (!draw) throw new Error('this browser has no canvas');
  draw.fillStyle = '#fff';
  draw.fillRect(0, 0, canvas.width, canvas.height);
  draw.fillStyle = '#000';
  for (const [y, row] of data.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) draw.fillRect(x * MODULE, y * MODULE, MODULE, MODULE);
    }
  }
  draw.font = `${LINE * 0.7}px sans-serif`;
  draw.textAlign = 'center';
  for (const [line, caption] of captions.entries()) {
    draw.fillText(caption, canvas.width / 2, canvas.width + line * LINE + LINE / 2);
  }
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('this browser cannot export a canvas');
  await shareOrDownload(new File([blob], name, { type: 'image/png' }));
}

async function shareOrDownload(file: File): Promise<void> {
  const touch = matchMedia('(pointer: coarse)').matches;
  if (!touch || !navigator.canShare?.({ files: [file] })) return saveFile(file.name, file, file.type);
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // The share sheet was closed: no error.
    if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error;
  }
}
