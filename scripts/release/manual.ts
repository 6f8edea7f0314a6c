import { allUsage, COMMON_HELP, type Usage, usageOf } from '@fixpoint/api/cli/help.ts';
import { machineUsage } from '@fixpoint/api/cli/machine-usage.ts';
import { membersOf } from '@fixpoint/api/cli/parse.ts';
import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import { operations } from '@fixpoint/contract/staff/operations.ts';

/** A text that names commands, for readers on a machine with the package. */
export const asInstalled = (text: string): string => text.replaceAll('npm run shop -- ', 'fixpoint ');

/** Text for man: a backslash, a hyphen, and a line that begins like a request need marks. */
const roff = (text: string): string =>
  asInstalled(text)
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

/** The page fixpoint(1), from the table of operations. @param day of the version, YYYY-MM-DD */
export function manualPage(version: string, day: string): string {
  const command = ({ form, summary, options }: Usage) =>
    [
      `.TP\n.B fixpoint ${roff(form)}`,
      roff(summary),
      ...options.map(({ option, meaning }) => `.RS\n.TP\n.I ${roff(option)}\n${roff(meaning)}\n.RE`),
    ].join('\n');
  return `${[
    `.TH FIXPOINT 1 "${day}" "Fixpoint ${version}" "Fixpoint"`,
    `.SH NAME\nfixpoint \\- commands of staff on the Fixpoint shop of this machine`,
    `.SH SYNOPSIS\n.B fixpoint\n.I AREA COMMAND\n.RI [ OPTION .\\|.\\|.]`,
    `.SH DESCRIPTION\n${roff(COMMON_HELP)}`,
    roff(
      'The command runs as the user fixpoint, who must be able to read and write the files that it names.',
    ),
    `.SH COMMANDS\n${[...machineUsage, ...allUsage()].map(command).join('\n')}`,
    `.SH FILES\n.TP\n.I /etc/fixpoint/fixpoint.env\nSettings. After a change: systemctl restart fixpoint\\-api fixpoint\\-worker`,
    `.TP\n.I /var/lib/fixpoint/master.key\nEncrypts every secret in the database. Keep a copy elsewhere.`,
  ].join('\n')}\n`;
}

/** Completion of the command for bash, from the table of operations. */
export function bashCompletion(): string {
  const areas = Object.entries(operations as Record<string, Record<string, Operation>>);
  const first = new Set([...machineUsage, ...allUsage()].map(({ area }) => area));
  const verbs = areas.map(([area, verbsOf]) => `    ${area}) words='${Object.keys(verbsOf).join(' ')}' ;;`);
  const options = areas.flatMap(([area, verbsOf]) =>
    Object.entries(verbsOf).map(
      ([verb, of]) => `    '${area} ${verb}') words='${optionsOf(area, verb, of)}' ;;`,
    ),
  );
  return `# Completion of fixpoint(1) for bash.
_fixpoint() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=''
  if [ "$COMP_CWORD" = 1 ]; then words='${[...first].join(' ')} help'
  elif [ "$COMP_CWORD" = 2 ]; then case \${COMP_WORDS[1]} in
${verbs.join('\n')}
  esac
  elif [[ $word == -* ]]; then case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${options.join('\n')}
  esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _fixpoint fixpoint
`;
}

const optionsOf = (area: string, verb: string, operation: Operation): string => {
  const own = membersOf(operation).map(({ option }) => `--${option}`);
  const positional = (operation.positional ?? []).map(name => `--${name}`);
  const common = usageOf(area, verb, operation).form.match(/--(reason|confirm|yes|output)\b/g) ?? [];
  return [
    ...new Set([...own.filter(option => !positional.includes(option)), ...common, '--json', '--help']),
  ].join(' ');
};
