// Asks for the texts while the program is still on its way: without them nothing can be drawn. A file of its own,
// because the page allows no inline script. Only where the address names the language and no earlier visit left its
// texts; the program then finds the answer waiting (same address as `showLanguage` in src/lib/texts.ts).
try {
  const language = /^#\/([a-z]{2})(?=\/|$)/.exec(location.hash)?.[1];
  if (language && !localStorage.getItem(`uiText.${language}`)) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'use-credentials' });
    link.href = `/v1/uiText/lang?lang=${language}`;
    document.head.append(link);
  }
} catch {
  // Storage is blocked: the program asks by itself.
}
