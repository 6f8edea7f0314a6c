/** `system` follows the device; the others are the customer's own choice. */
export type Theme = 'system' | 'light' | 'dark';

// The same key is read before the first paint by the app's early script (apps/web/src/early.ts).
const key = 'theme';

/** The stored choice; the system's where there is none or storage is blocked. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Shows and keeps the choice. A choice that cannot be stored holds until the page is left. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is blocked: shown all the same.
  }
}
