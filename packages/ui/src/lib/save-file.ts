/** Offers a text, image or document as a download. */
export function saveFile(fileName: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The URL must stay valid until the browser has taken the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
