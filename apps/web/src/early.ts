// Runs while the program loads: sends the first requests and shows the prerendered shell of the
// screen, then starts the program. The build inlines it into the page.

// A module: its names are its own.
export {};

const page = document.documentElement;
const tags: Record<string, string> = JSON.parse(page.dataset.tags ?? '{}');
// The server answers an unknown path with this page in the visitor's language, and with 404.
if (!/^\/(index\.html)?$/.test(location.pathname)) {
  const named = Object.keys(tags).find(each => tags[each] === page.lang) ?? 'en';
  history.replaceState(null, '', `/#/${named}/404`);
}
const [path = ''] = location.hash.slice(1).split(/[?#]/);
const parts = path.split('/').filter(Boolean);
/** As `pathWithLanguage` (src/routing/language.ts); unknown on the root path. */
const language = Object.hasOwn(tags, parts[0] ?? '') ? parts.shift()! : parts.length > 0 ? 'en' : '';
const screen = parts.join('/');

const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // Storage is blocked.
  }
};
const visitor = !stored('token');

// Same key as packages/ui/src/theme.ts.
const theme = stored('theme');
if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;

window.earlyAnswers = new Map();
const requestEarly = (path: string): Promise<Response> => {
  const answer = fetch(path, {
    headers: { 'Accept-Language': tags[language] ?? 'en' },
    credentials: 'include',
    signal: AbortSignal.timeout(30_000),
  });
  answer.catch(() => undefined);
  window.earlyAnswers?.set(new URL(path, location.href).href, answer);
  return answer;
};

const pause = (ms = 0) => new Promise<void>(resolve => setTimeout(resolve, ms));
/** How long cached texts wait for the server to say that they are the current ones, ms. */
const CHECK_MS = 800;

/** Texts from the server, or those of an earlier visit (src/shop/texts.ts) if it has no newer ones. */
async function loadTexts(): Promise<Record<string, string>> {
  const cached = JSON.parse(stored(`uiText.${language}`) ?? 'null');
  // The shell uses a system font (packages/ui/src/tokens.css); the shop's font follows.
  if (!cached) page.dataset.firstVisit = '';
  const version = cached ? `&version=${cached.version}` : '';
  const fetched = requestEarly(`/v1/uiText/lang?lang=${language}${version}`).then(
    async answer => (await answer.clone().json()).data.uiText ?? cached?.uiText,
  );
  return cached
    ? Promise.race([fetched.catch(() => cached.uiText), pause(CHECK_MS).then(() => cached.uiText)])
    : fetched;
}

const painted = () => new Promise<void>(resolve => requestAnimationFrame(() => pause().then(resolve)));
/** Limits a step that delays the program to one second. */
const atMostASecond = (step: Promise<unknown>) => Promise.race([step, pause(1000)]).catch(() => undefined);

/** Shows a shell of src/app/prerendered-shells.tsx, rendered by build/prerendered-shells.ts. */
async function showShell(template: HTMLTemplateElement, texts: Promise<Record<string, string>>) {
  const shell = template.content.cloneNode(true) as DocumentFragment;
  for (const each of shell.querySelectorAll<HTMLElement>('[data-style]')) {
    each.style.cssText = each.dataset.style ?? '';
  }
  for (const each of shell.querySelectorAll<HTMLElement>('[data-text]')) {
    each.textContent = (await texts)[each.dataset.text ?? ''] ?? '';
  }
  for (const each of shell.querySelectorAll('a')) {
    // Not by `hash`: that resolves the address against the template's own document, `about:blank`.
    each.setAttribute('href', each.getAttribute('href')?.replace('LANGUAGE', language) ?? '');
  }
  const root = document.getElementById('root');
  // The program may have rendered already.
  if (!root || root.hasChildNodes()) return;
  page.lang = tags[language] ?? 'en';
  root.append(shell);
  await painted();
}

/** Waits until a file can be loaded again. */
const untilAvailable = async (part: string): Promise<void> => {
  await pause(1000);
  const { ok } = await fetch(part).catch(() => ({ ok: false }));
  if (!ok) await untilAvailable(part);
};

/** Reloads the page once; nothing has been typed yet. */
const reloadOnce = () => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (visit?.type === 'reload') throw new Error('the program fails to load');
  location.reload();
};

/**
 * Loads a part of the program, and retries until it succeeds: without it the page stays empty and
 * silent. Browsers up to Chrome 150 cache a failed import for the life of the page.
 */
const loadPart = async (part: string): Promise<void> => {
  const importPart = () => import(/* @vite-ignore */ part);
  await importPart().catch(() => untilAvailable(part).then(importPart).catch(reloadOnce));
};

async function start(texts: Promise<Record<string, string>> | undefined) {
  await new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve));
  const template = [...document.querySelectorAll('template')].find(each => each.dataset.screen === screen);
  // The shell has the bandwidth for itself: it is small and soon there.
  if (template && texts && visitor) await atMostASecond(showShell(template, texts));
  const program = [...document.querySelectorAll<HTMLLinkElement>('link[data-program]')];
  for (const part of program) part.rel = 'modulepreload';
  // One part after the other, so that the page stays responsive in between.
  for (const part of program) {
    await loadPart(part.href);
    await pause();
  }
}

// Retries style sheets that fail to load, also those of later parts.
addEventListener(
  'error',
  event => {
    const link = event.target as HTMLLinkElement;
    if (link.rel === 'stylesheet') pause(1000).then(() => link.replaceWith(link.cloneNode()));
  },
  true,
);

const texts = language ? loadTexts() : undefined;
texts?.catch(() => undefined);
// As `plansQuery` (src/shop/catalog.ts) asks; it has no choice at the first visit.
const currency = stored('currency');
if (screen === 'get-started' && visitor)
  requestEarly(`/v1/order/getAllPlan${currency ? `?preferred=${currency}` : ''}`);
void start(texts);
