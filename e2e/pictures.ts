import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { installBrowser } from '@fixpoint/dev-stack/browser.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { type Browser, chromium, type Page } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';
import { testStack } from './env.ts';
import startStack from './stack.ts';
import { type Guide, openWindow, prepareGuide, type Stop, stops, visit } from './tour.ts';

/**
 * `npm run screens [language …]`: screenshots of every screen in `.cache/screens`, in English and in the scripts that are
 * hardest to set, on a phone and a desktop; in English on a desktop also in the dark theme. Not in the repository, because
 * addresses, numbers and dates differ in each run.
 */
const shown: Language[] = ['en', 'th', 'kh', 'mm', 'jp'];
const widths = [390, 1280];
const folder = join(root, '.cache/screens');

type Look = { language: Language; width: number; colorScheme: 'light' | 'dark' };

const looks = (language: Language): Look[] => [
  ...widths.map(width => ({ language, width, colorScheme: 'light' as const })),
  ...(language === 'en' ? [{ language, width: 1280, colorScheme: 'dark' as const }] : []),
];

const fileName = ({ language, width, colorScheme }: Look, { name }: Stop): string =>
  `${language}-${width}-${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`;

/**
 * Screenshot of the whole page as WebP, a tenth of Playwright's PNG. The window is as high as the page, because frames of
 * another origin are not drawn outside the window.
 */
async function picture(page: Page, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const pageHeight = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, pageHeight) });
  await page.waitForTimeout(300); // until the frames, which draw on their own, are drawn
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await session.detach();
  await page.setViewportSize({ width, height });
  return Buffer.from(data, 'base64');
}

async function take(browser: Browser, guide: Guide, look: Look): Promise<void> {
  const { language, width, colorScheme } = look;
  const viewport = { width, height: width < 768 ? 844 : 900 };
  for (const asCustomer of [false, true]) {
    const shown = { viewport, colorScheme, reducedMotion: 'reduce', timezoneId: 'Asia/Bangkok' } as const;
    const context = await browser.newContext(shown);
    const page = await openWindow(context, guide, asCustomer);
    for (const stop of stops(guide).filter(each => each.asCustomer === asCustomer)) {
      await visit(page, guide, language, stop);
      await writeFile(join(folder, fileName(look, stop)), await picture(page, viewport));
    }
    await context.close();
  }
}

async function index(all: Stop[]): Promise<string> {
  const files = new Set(await readdir(folder));
  const cell = (look: Look, stop: Stop) => {
    const file = fileName(look, stop);
    return files.has(file) ? `[<img src="${file}" alt="${stop.name}" width="160">](${file})` : '–';
  };
  const parts = shown.map(language => {
    const columns = looks(language);
    const heads = columns.map(
      ({ width, colorScheme }) => `${width} px${colorScheme === 'dark' ? ', dark' : ''}`,
    );
    const lines = all.map(stop => `| ${stop.name} | ${columns.map(look => cell(look, stop)).join(' | ')} |`);
    const name = languages[language].name;
    return `## ${name}\n\n| screen | ${heads.join(' | ')} |\n|---|${'---|'.repeat(heads.length)}\n${lines.join('\n')}\n`;
  });
  return `# Screens\n\nMade by \`npm run screens\`; do not edit.\n\n${parts.join('\n')}`;
}

await installBrowser(line => void process.stdout.write(`${line}\n`)).catch(error => {
  process.stderr.write(`${operatorMessage(error) ?? (error as Error).stack}\n`);
  process.exit(1);
});
const chosen = process.argv.length > 2 ? shown.filter(each => process.argv.includes(each)) : shown;
await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) {
  if (chosen.some(language => file.startsWith(`${language}-`))) await rm(join(folder, file));
}
const stop = await startStack();
const browser = await chromium.launch({ executablePath, args: flags });
try {
  const guide = await prepareGuide(testStack());
  for (const look of chosen.flatMap(looks)) {
    await take(browser, guide, look);
    process.stdout.write(`${look.language} ${look.width} px ${look.colorScheme}\n`);
  }
  await writeFile(join(folder, 'README.md'), await index(stops(guide)));
} finally {
  await browser.close();
  await stop();
}
