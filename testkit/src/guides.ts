import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';

/**
 * A command that a page tells its reader to run. A here-document is part of its command.
 * @property block number of its block on the page
 */
export type GuideCommand = { page: string; section: string; block: number; line: string };

const PAGES = ['README.md', 'apps/agent/README.md', 'docs/operate/*.md', 'docs/contribute/*.md'];

/** Pages that tell somebody to run something, by their path. */
export const guides = (): string[] => globSync(PAGES, { cwd: root }).sort();

export const readGuide = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The commands in the blocks of shell commands of a page. */
export function commandsOf(page: string): GuideCommand[] {
  const commands: GuideCommand[] = [];
  let [section, block] = ['', 0];
  let isCommand: boolean | undefined;
  let until: string | undefined;
  for (const text of readGuide(page).split('\n')) {
    const line = text.trim();
    const fence = /^```(\w*)/.exec(line);
    if (until) {
      commands.at(-1)!.line += `\n${line}`;
      if (line === until) until = undefined;
    } else if (fence) {
      block += 1;
      isCommand = isCommand === undefined ? fence[1] === 'sh' : undefined;
    } else if (isCommand === undefined) section = /^## (.*)/.exec(line)?.[1] ?? section;
    else if (isCommand && line !== '') {
      commands.push({ page, section, block, line });
      until = /<<'?(\w+)'?/.exec(line)?.[1];
    }
  }
  return commands;
}

/** The words of a command line, as a shell splits them. */
export const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, one, two, plain]) => one ?? two ?? plain ?? '');
