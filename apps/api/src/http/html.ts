/** Style of plain pages, in light and dark. */
export const plainStyle = `:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}
body{margin:0}main{max-width:60rem;margin:0 auto;padding:2rem 1rem}
code{font-family:ui-monospace,monospace}td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}`;

/** A plain page. @param head contents of its head besides the title */
export const plainPage = (title: string, head: string, body: string): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  `<title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
