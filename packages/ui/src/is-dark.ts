/**
 * Whether the page is dark right now, by choice (which stands on the document) or by the device. Not in `theme.ts`, which
 * would become a file of its own for the first visit.
 */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}
