/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

// The early script (apps/web/src/early.ts) reads the same key before the first paint.
const key = 'theme';

/** The stored choice; `system` if there is none or storage is blocked. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Applies and stores a choice. Without storage it lasts until the page is left. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is blocked: the choice is applied all the same.
  }
}
