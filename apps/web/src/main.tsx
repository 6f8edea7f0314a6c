import '@fixpoint/ui/global.css';
import { preload } from '@fixpoint/ui/lib/chunk.ts';
import { onMissingPart } from '@fixpoint/ui/lib/missing-part.ts';
import { preserveFocus } from '@fixpoint/ui/lib/preserve-focus.ts';
import { isDefinite } from '@fixpoint/web-client/faults.ts';
import { setUpWebClient } from '@fixpoint/web-client/setup.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { BootFault } from './app/boot-fault.tsx';
import { layoutParts } from './app/layout-parts.ts';
import { readyScreens } from './app/ready-screens.ts';
import { screenOf } from './app/screen-of.ts';
import { languageOfAddress, shownLanguage } from './routing/language.ts';
import { session } from './server/api.ts';
import { loadConfig } from './server/config.ts';
import { errorMessage } from './shop/error-message.ts';
import { showError } from './shop/snack.ts';
import { showCachedTexts, showLanguage, useText } from './shop/texts.ts';

onMissingPart(showError);
setUpWebClient({
  session,
  useText: useText as () => (key: string) => string,
  errorText: errorMessage,
  showError,
  formErrorsTitle: 'order.errors.title',
});
const place = document.getElementById('root')!;
const root = createRoot(place);
// Printed below the page (packages/ui/src/base.css). A query may hold a token.
window.addEventListener('beforeprint', () => {
  document.body.dataset.address = window.location.href.replace(/\?.*$/, '');
});
preserveFocus(place);

/**
 * Loads configuration and texts, then renders, so that nothing appears in the wrong language or
 * calls the wrong server.
 */
async function boot() {
  const language = languageOfAddress(window.location.hash, document.cookie, navigator.languages);
  // The first calls are sent before the texts are shown, and carry the language, too.
  shownLanguage.set(language);
  try {
    await loadConfig();
    const screen = screenOf(window.location.hash);
    readyScreens[screen?.path ?? '*']?.prepare();
    // The prerendered shell stays until the whole screen can replace it.
    const parts = place.hasChildNodes() && screen ? [screen.load, layoutParts[screen.layout]] : [];
    const arrived = parts.map(load => preload<unknown>(load).catch(() => undefined));
    await Promise.all([showLanguage(language), ...arrived]);
  } catch (error) {
    if (isDefinite(error)) session.end();
    showCachedTexts(language);
    root.render(<BootFault onRetry={boot} />);
    return;
  }
  // A transition, so that the page stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

void boot();
