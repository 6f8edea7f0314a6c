/** Hands a text, a picture or a document to the browser as a download. */
export function saveFile(fileName: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the file by then; until it has, the address must stay valid.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
