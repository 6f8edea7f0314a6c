import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';

/** docs/operate/going-live.md, with its settings and commands, for the tests that follow it. */
export const page = await readFile(join(root, 'docs/operate/going-live.md'), 'utf8');
/** Texts of the fenced blocks of a kind. */
export const blocks = (kind: string) =>
  Array.from(
    page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm')),
    ([, text = '']) => text,
  );
/** The settings of the page. */
export const written = parseEnv(blocks('ini').find(text => text.includes('STRIPE_SECRET='))!) as Record<
  string,
  string
>;
export const commands = blocks('sh').flatMap(text => text.match(/^(npm run|fixpoint) .*$/gm) ?? []);
