/**
 * Whether the page is dark now, by the user's choice (on `<html>`) or by the device. Not in
 * `theme.ts`: that would become a separate file of the first visit.
 */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}
