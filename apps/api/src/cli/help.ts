import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import { operations } from '@fixpoint/contract/staff/operations.ts';
import { type Member, membersOf } from './parse.ts';

/** One command as the help and the reference show it. */
export type Usage = {
  area: string;
  form: string;
  summary: string;
  options: { option: string; meaning: string }[];
};

const bracketed = (text: string, isRequired: boolean): string => (isRequired ? text : `[${text}]`);

const optionForm = ({ option, placeholder, isFlag }: Member): string =>
  isFlag ? `--${option}` : `--${option} ${placeholder ?? 'VALUE'}`;

/** Form and options of a command, derived from its operation. */
export function usageOf(area: string, verb: string, operation: Operation): Usage {
  const members = membersOf(operation);
  const positional = operation.positional ?? [];
  const { reason, preview, unattended, download } = operation;
  const words = [
    area,
    verb,
    ...positional.map(name => {
      const { placeholder, isRequired } = members.find(each => each.name === name)!;
      return bracketed(placeholder ?? name, isRequired);
    }),
    ...members
      .filter(({ name }) => !positional.includes(name))
      .map(member => bracketed(optionForm(member), member.isRequired)),
    ...(reason === 'none' ? [] : [bracketed('--reason TEXT', reason === 'required')]),
    ...(preview ? ['[--confirm PREVIEW]'] : []),
    ...(unattended ? ['[--yes]'] : []),
    ...(download ? ['[--output FILE]'] : []),
  ];
  return {
    area,
    form: words.join(' '),
    summary: operation.summary,
    options: members.flatMap(member =>
      member.description
        ? [
            {
              option: positional.includes(member.name)
                ? (member.placeholder ?? member.name)
                : optionForm(member),
              meaning: member.description,
            },
          ]
        : [],
    ),
  };
}

/** Usage of all commands, in the order of the table of operations. */
export const allUsage = (): Usage[] =>
  Object.entries(operations).flatMap(([area, verbs]) =>
    Object.entries(verbs as Record<string, Operation>).map(([verb, operation]) =>
      usageOf(area, verb, operation),
    ),
  );

/** Usage as printed: one command in full, or many in short. */
export const usageText = (usage: readonly Usage[], full = usage.length === 1): string =>
  usage
    .map(({ form, summary, options }) => {
      const details = full ? options.map(({ option, meaning }) => `      ${option}: ${meaning}\n`) : [];
      return `  ${form}\n      ${summary}\n${details.join('')}`;
    })
    .join('');

/** Ends the help: what all commands have in common. */
export const COMMON_HELP = `Every command: --help shows it; --json prints its answer as JSON.
A command with [--confirm PREVIEW] first shows what it would do. It prints the name of that preview, which is valid for ten
minutes: the same command with --confirm PREVIEW does it, once. With [--yes] it does so without asking.
Exit codes: 0 done; 1 failed, or something waits for you; 64 wrong command line; 69 the database belongs to another version;
77 only root may do this, or the user of the shop.
Pages that a command names (docs/operate/…) lie in /usr/share/doc/fixpoint where the package is installed.
`;
