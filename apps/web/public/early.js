// What must happen before the first paint, and while the program is still on its way. A file of its own, because the
// page allows no inline script.
try {
  // Same key as src/ui/theme.ts.
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

  // Asks for what the program will ask for (src/lib/texts.ts, src/lib/catalog.ts), and finds waiting then: the texts
  // without which nothing can be drawn, where no earlier visit left them; the plans, where the address shows them.
  const ask = path =>
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: 'preload',
        as: 'fetch',
        crossOrigin: 'use-credentials',
        href: path,
      }),
    );
  const [, language, screen] = /^#\/([a-z]{2})(?:\/([\w-]*))?/.exec(location.hash) ?? [];
  if (language && !localStorage.getItem(`uiText.${language}`)) {
    ask(`/v1/uiText/lang?lang=${language}`);
    // The first sight is drawn in a font that is there (src/ui/tokens.css); the shop's own follows at once.
    document.documentElement.dataset.firstVisit = '';
  }
  if (screen === 'get-started' && !localStorage.getItem('token')) ask('/v1/order/getAllPlan');
} catch {
  // Storage is blocked: the system's theme it is, and the program asks by itself.
}
