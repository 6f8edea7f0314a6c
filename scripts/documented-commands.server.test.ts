import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';

test('FO9 documented commands are npm scripts, which run on the pinned Node', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' });
  const wrong = pages
    .split('\0')
    .filter(Boolean)
    .flatMap(page => {
      const text = readFileSync(join(root, page), 'utf8');
      const unknown = [...text.matchAll(/\bnpm run (?:--silent )?([\w-]+)/g)].filter(
        ([, name]) => !(name! in scripts),
      );
      // An installed Node may be too old for TypeScript.
      const bare = text.matchAll(/\bnode [\w./-]+\.ts\b/g);
      return [...unknown, ...bare].map(([command]) => `${page}: ${command}`);
    });
  expect(wrong).toEqual([]);
});
