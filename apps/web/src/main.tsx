import './ui/global.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { BootFault } from './app/boot-fault.tsx';
import { readyScreens } from './app/ready-screens.ts';
import { screenOf } from './app/screen-of.ts';
import { loadConfig } from './lib/config.ts';
import { languageOfAddress } from './lib/language.ts';
import { recallTexts, showLanguage } from './lib/texts.ts';

const root = createRoot(document.getElementById('root')!);

/** Configuration, then texts, then the page: nothing is drawn in the wrong language or against the wrong server. */
async function boot() {
  const language = languageOfAddress(window.location.hash, document.cookie, navigator.languages);
  try {
    await loadConfig();
    readyScreens[screenOf(window.location.hash)?.path ?? '*']?.prepare();
    await showLanguage(language);
  } catch {
    recallTexts(language);
    root.render(<BootFault onRetry={boot} />);
    return;
  }
  // In small steps, between which the browser answers to the visitor.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

void boot();
