import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

const PAGES = ['README.md', 'apps/agent/README.md', 'docs/operate/*.md', 'docs/contribute/*.md'];

/** Pages that tell somebody to run something, by their path. */
export const guides = (): string[] => globSync(PAGES, { cwd: root }).sort();

export const readGuide = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The words of a command line, as a shell splits them. */
export const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, one, two, plain]) => one ?? two ?? plain ?? '');
