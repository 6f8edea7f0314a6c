import type { Language } from '@fixpoint/contract/languages.ts';

// What happens while the program is on its way: its first questions are asked, and the visitor sees the headline of the
// screen. Then it starts the program. The build puts it into the page itself.

const page = document.documentElement;
const [, language = '', ...path] = location.hash.slice(1).split(/[?#]/)[0]?.split('/') ?? [];
const screen = path.join('/');

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
const ask = (path: string): Promise<Response> => {
  const answer = fetch(path, { credentials: 'include', signal: AbortSignal.timeout(30_000) });
  answer.catch(() => undefined);
  window.earlyAnswers?.set(new URL(path, location.href).href, answer);
  return answer;
};

/** The texts: of an earlier visit (src/shop/texts.ts), else of the server. */
async function texts(): Promise<Record<string, string>> {
  const kept = JSON.parse(stored(`uiText.${language}`) ?? 'null');
  if (kept) return kept.uiText;
  // The first sight is drawn in a font that is there (packages/ui/src/tokens.css); the shop's own follows at once.
  page.dataset.firstVisit = '';
  const answer = await ask(`/v1/uiText/lang?lang=${language}`);
  return (await answer.clone().json()).data.uiText;
}

const pause = (ms = 0) => new Promise<void>(resolve => setTimeout(resolve, ms));
const painted = () => new Promise<void>(resolve => requestAnimationFrame(() => pause().then(resolve)));
/** What delays the program must not stop it: waits for a second at most. */
const shortly = (step: Promise<unknown>) => Promise.race([step, pause(1000)]).catch(() => undefined);

/** A screen of src/app/first-sight.tsx, as build/first-sight.ts drew it. */
async function showFirstSight(template: HTMLTemplateElement, words: Promise<Record<string, string>>) {
  const sight = template.content.cloneNode(true) as DocumentFragment;
  for (const each of sight.querySelectorAll<HTMLElement>('[data-style]')) {
    each.style.cssText = each.dataset.style ?? '';
  }
  for (const each of sight.querySelectorAll<HTMLElement>('[data-text]')) {
    each.textContent = (await words)[each.dataset.text ?? ''] ?? '';
  }
  for (const each of sight.querySelectorAll('a')) each.hash = each.hash.replace('LANGUAGE', language);
  const root = document.getElementById('root');
  // The program may have been faster.
  if (!root || root.hasChildNodes()) return;
  page.lang = JSON.parse(page.dataset.tags ?? '{}')[language as Language];
  root.append(sight);
  await painted();
}

/** Waits until a file can be had again. */
const within = async (part: string): Promise<void> => {
  await pause(1000);
  const { ok } = await fetch(part).catch(() => ({ ok: false }));
  if (!ok) await within(part);
};

/** Loads the page again, but not over and over: nothing was typed yet. */
const again = () => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (visit?.type === 'reload') throw new Error('the program does not start');
  location.reload();
};

/**
 * Asked for until it is there: a page whose program got lost on the way stays empty, and says nothing. Browsers up to Chrome
 * 150 keep for as long as the page lives that it failed.
 */
const bring = async (part: string): Promise<void> => {
  const take = () => import(/* @vite-ignore */ part);
  await take().catch(() => within(part).then(take).catch(again));
};

async function start(words: Promise<Record<string, string>> | undefined) {
  await new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve));
  const template = [...document.querySelectorAll('template')].find(each => each.dataset.screen === screen);
  // The first sight has the line for itself: it is small, and soon there.
  if (template && words && visitor) await shortly(showFirstSight(template, words));
  const parts = [...document.querySelectorAll<HTMLLinkElement>('link[data-program]')];
  for (const part of parts) part.rel = 'modulepreload';
  // One part after the other: between them the browser answers to the visitor.
  for (const part of parts) {
    await bring(part.href);
    await pause();
  }
}

// A page without its style sheets is a heap: each is asked for until it is there, those of later parts as well.
addEventListener(
  'error',
  event => {
    const link = event.target as HTMLLinkElement;
    if (link.rel === 'stylesheet') pause(1000).then(() => link.replaceWith(link.cloneNode()));
  },
  true,
);

const words = language ? texts() : undefined;
words?.catch(() => undefined);
if (screen === 'get-started' && visitor) ask('/v1/order/getAllPlan');
void start(words);
