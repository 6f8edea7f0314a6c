import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENTS } from '@fixpoint/api/adapters/stripe/check.ts';
import { problemsOf } from '@fixpoint/api/env/problems.ts';
import { readSettings, root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';
import { blocks, commands, page, written } from './testing/going-live-page.ts';

test('FO1 a shop with live keys needs exactly the settings of the page', () => {
  expect(problemsOf({ NODE_ENV: 'production', ...written })).toEqual([]);
  expect(readSettings(written).realProviders).toBe(true);
  for (const name of Object.keys(written)) {
    const { [name]: _, ...rest } = written;
    const missing = problemsOf({ NODE_ENV: 'production', ...rest });
    expect(
      missing.every(line => line.includes(name)),
      missing.join(),
    ).toBe(true);
  }
});

test('FO1 the webhook of the page subscribes to every event that the shop handles', () => {
  const named = blocks('text').find(text => text.includes('payment_intent.succeeded'))!;
  expect(named.trim().split('\n').sort()).toEqual(EVENTS.toSorted());
});

test('FO1 every command and file of the page exists', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const command of commands.filter(line => line.startsWith('npm ')))
    expect(Object.keys(scripts)).toContain(command.split(' ')[2]);
  for (const [, file = ''] of page.matchAll(/\b((?:docs|apps|scripts)\/[\w./-]+\.\w+)/g))
    expect(existsSync(join(root, file)), file).toBe(true);
});
