import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOpenApi } from '@fixpoint/api/http/openapi.ts';
import { calls } from '@fixpoint/contract/calls.ts';
import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { errors } from '@fixpoint/contract/errors.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { invoiceTransitions } from '@fixpoint/domain/billing/invoice.ts';
import { orderTransitions } from '@fixpoint/domain/order/order.ts';
import { attemptTransitions } from '@fixpoint/domain/payment/attempt.ts';
import { refundTransitions } from '@fixpoint/domain/payment/refund.ts';
import { subscriptionTransitions } from '@fixpoint/domain/subscription/subscription.ts';
import { envExample } from './docs/env-example.ts';
import { referencePage } from './docs/reference.ts';
import { shopSettings } from './docs/settings.ts';
import { productTests } from './product-tests.ts';
import { notYetOf, rulesOf } from './requirements.ts';

/*
 * Writes docs/generated, docs/operate/reference.md and .env.example from the code. `--check` writes nothing and fails when a
 * file differs. openapi.json is a build artefact that is not committed: `--check` only builds it.
 */

// Imported by URL: otherwise tsc would check the web client with the configuration of the server.
const screensFile = new URL('../apps/web/src/app/screens.ts', import.meta.url).href;
const { screens } = (await import(screensFile)) as {
  screens: { path: string; guard: string; layout: string; title: string }[];
};

const NOTICE = '<!-- Made by `npm run gen -- docs`; do not edit. -->\n';

function callsPage(): string {
  const sections = Object.entries(calls).map(([module, group]) => {
    const lines = Object.values(group as Record<string, Endpoint>).map(
      ({ method, path, auth, role, summary }) =>
        `| ${method} | \`${path}\` | ${auth}${role ? `, ${role}` : ''} | ${summary} |`,
    );
    return `## ${module}\n\n| method | path | who | what |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  const codes = Object.entries(errors).map(([name, { code, status }]) => `| ${code} | ${status} | ${name} |`);
  return `${NOTICE}# Calls\n\n${sections.join('\n')}\n## Codes\n\n| code | HTTP | name |\n|---|---|---|\n${codes.join('\n')}\n`;
}

function statesPage(): string {
  const machines = {
    Order: orderTransitions,
    Invoice: invoiceTransitions,
    Attempt: attemptTransitions,
    Refund: refundTransitions,
    Subscription: subscriptionTransitions,
  };
  const diagrams = Object.entries(machines).map(([name, table]) => {
    const states = Object.entries(table as Record<string, readonly string[]>);
    const arrows = states.flatMap(([from, targets]) => targets.map(to => `  ${from} --> ${to}`));
    return `## ${name}\n\n\`\`\`mermaid\nstateDiagram-v2\n  [*] --> ${states[0]![0]}\n${arrows.join('\n')}\n\`\`\`\n`;
  });
  return `${NOTICE}# States\n\n${diagrams.join('\n')}`;
}

function screensPage(): string {
  const lines = screens.map(
    ({ path, guard, layout, title }) =>
      `| \`/{lang}${path && `/${path}`}\` | ${guard} | ${layout} | ${title} |`,
  );
  return `${NOTICE}# Screens\n\n| route | guard | layout | title text |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}

/** The rules of docs/requirements/security.md with the tests that name them (`S07 …`), and what no test covers yet. */
async function securityPage(): Promise<string> {
  const files = execFileSync('git', ['ls-files', '*.test.ts', '*.spec.ts'], { cwd: root, encoding: 'utf8' });
  const covered = new Map<string, Set<string>>();
  for (const file of files.split('\n').filter(Boolean)) {
    const names =
      (await readFile(join(root, file), 'utf8')).match(/['"`][^'"`\n]*\bS\d{2}\b[^'"`\n]*/g) ?? [];
    for (const [id] of names.join(' ').matchAll(/\bS\d{2}\b/g))
      covered.set(id, (covered.get(id) ?? new Set()).add(file));
  }
  const page = await readFile(join(root, 'docs/requirements/security.md'), 'utf8');
  const notYet = notYetOf(page);
  const lines = rulesOf(page).map(([id, words]) => {
    const tests = [...(covered.get(id) ?? [])].map(file => `\`${file}\``);
    const gap = notYet.get(id);
    if (tests.length === 0 && !gap)
      throw new Error(`${id} has no test; say why at the end of docs/requirements/security.md`);
    const missing = gap && `not yet: ${gap.missing}${gap.comesWith === '–' ? '' : ` → ${gap.comesWith}`}`;
    const shown = [tests.join(', '), missing].filter(Boolean).join('; ');
    return `| ${id} | ${words.replaceAll('|', '\\|')} | ${shown} |`;
  });
  return `${NOTICE}# Security requirements and the tests that name them\n\n| ID | must hold | tests |\n|---|---|---|\n${lines.join('\n')}\n`;
}

/** The rules of docs/requirements/product.md with the tests that show them, and their gaps. */
async function specPage(): Promise<string> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const listed = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.spec.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter(path => path && !path.startsWith('scripts/checks/'));
  const files = new Map(await Promise.all(paths.map(async path => [path, await read(path)] as const)));
  // Its samples are made up.
  files.delete('scripts/product-tests.test.ts');
  const { shown, faults } = productTests(
    await read('docs/requirements/product.md'),
    await read('docs/requirements/product-tests.md'),
    files,
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = shown.map(({ id, words, tests, gap }) => {
    const names = tests.map(({ file, title }) => `\`${file}\` › ${title}`);
    return `| ${id} | ${cell(words)} | ${cell(names.join('<br>'))} | ${gap ?? ''} |`;
  });
  return `${NOTICE}# What the shop does, and the tests that show it\n\n| ID | must hold | tests | gap |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}

const settings = shopSettings();
const pages: Record<string, string> = {
  'docs/generated/calls.md': callsPage(),
  'docs/generated/states.md': statesPage(),
  'docs/generated/screens.md': screensPage(),
  'docs/generated/security.md': await securityPage(),
  'docs/generated/spec.md': await specPage(),
  'docs/operate/reference.md': `${NOTICE}${referencePage(settings)}`,
  '.env.example': envExample(settings),
};
const openApi = `${JSON.stringify(await buildOpenApi(), null, 2)}\n`;

const stale: string[] = [];
for (const [path, text] of Object.entries(pages))
  if ((await readFile(join(root, path), 'utf8').catch(() => '')) !== text) stale.push(path);

if (!process.argv.includes('--check')) {
  for (const path of stale) await writeFile(join(root, path), pages[path]!);
  await writeFile(join(root, 'docs/generated/openapi.json'), openApi);
} else if (stale.length > 0) {
  console.error(`These files are out of date: ${stale.join(', ')}. Run:\n  npm run gen -- docs`);
  process.exitCode = 1;
}
