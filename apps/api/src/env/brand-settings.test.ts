import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandSettings } from './brand-settings.ts';
import { readSetting } from './in-words.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-brand-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (name: keyof typeof brandSettings, given: string) =>
  readSetting(name, brandSettings[name], given);
const svg = (content: string, root = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"') =>
  `<?xml version="1.0"?>\n<svg ${root}>${content}</svg>\n`;

async function logo(content: string) {
  const file = join(folder, 'logo.svg');
  await writeFile(file, content);
  return read('BRAND_LOGO', file);
}

test('a logo is a drawing that needs nothing else; what is wrong with another one is said', async () => {
  const right = svg(
    '<!-- a <g> --><title>A &gt; b</title><defs><path id="a"/></defs><use href="#a"/><path fill="url(#b)"/>',
  );
  expect(await logo(right)).toEqual({ value: right });
  for (const [content, says] of [
    ['PNG', 'must be an SVG drawing'],
    [svg('<g><path/>'), 'not closed'],
    [svg('<g><path></g></path>'), 'not closed'],
    [svg('<path/>', 'viewBox="0 0 8 8"'), 'xmlns'],
    [svg('<path/>', 'xmlns="http://www.w3.org/2000/svg" width="8"'), 'viewBox'],
    [svg('<script>alert(1)</script>'), 'without scripts'],
    [svg('<path onload="alert(1)"/>'), 'without scripts'],
    [svg('<image href="https://cdn.example.com/logo.png"/>'), 'must hold all of its parts'],
    [svg('<style>@import "https://fonts.example.com"</style>'), 'must hold all of its parts'],
    [svg(' '.repeat(64 * 1024)), '64 KiB'],
  ] as const)
    expect(await logo(content), content.slice(0, 80)).toEqual({
      fault: expect.stringContaining(says),
    });
  expect(read('BRAND_LOGO', join(folder, 'none.svg'))).toEqual({
    fault: 'BRAND_LOGO: there is no such file. Example: BRAND_LOGO=/etc/fixpoint/logo.svg',
  });
});

test('a colour in which nobody could read is refused, with the nearest that would do', () => {
  expect(read('BRAND_COLOR', '#005FCC')).toEqual({ value: '#005fcc' });
  expect(read('BRAND_COLOR', 'blue')).toMatchObject({ fault: expect.stringContaining('six hexadecimal') });
  const { fault } = read('BRAND_ACTION_COLOR', '#ffcc00') as { fault: string };
  const [, instead = ''] =
    fault.match(/too light for white text on it.*4\.5:1; (#[0-9a-f]{6}) would do/) ?? [];
  expect(read('BRAND_ACTION_COLOR', instead)).toEqual({ value: instead });
});
