import { commands } from '@fixpoint/api/cli/commands.ts';
import { scheduledTasks } from '@fixpoint/api/compose/scheduled-tasks.ts';
import { databaseUsage } from '../database.ts';
import { type Group, type Setting, settingsOfAgent } from './settings.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

const settingsTable = (settings: Setting[]): string =>
  [
    '| setting | default | meaning | example |',
    '|---|---|---|---|',
    ...settings.map(({ name, meaning, byDefault, example }) => {
      const cells = [`\`${name}\``, byDefault || '–', meaning, example ? `\`${example}\`` : '–'];
      return `| ${cells.map(cell).join(' | ')} |`;
    }),
  ].join('\n');

const commandsTable = (usage: readonly { form: string; does: string }[]): string =>
  [
    '| command | what it does |',
    '|---|---|',
    ...usage.map(({ form, does }) => `| \`${cell(form.trim())}\` | ${cell(does)} |`),
  ].join('\n');

const INTERVALS = { minute: 'every minute', hour: 'every hour', day: 'daily at 03:00' } as const;

const tasksTable = (): string =>
  [
    '| task | interval | what it does | queue |',
    '|---|---|---|---|',
    ...scheduledTasks
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, interval, description, queue }) => {
        const cells = [`\`${name}\``, INTERVALS[interval], description, queue ? `\`${queue}\`` : '–'];
        return `| ${cells.map(cell).join(' | ')} |`;
      }),
  ].join('\n');

/** Generates docs/operate/reference.md: every setting of shop and agent, every operator's command, every scheduled task. */
export async function referencePage(groups: Group[]): Promise<string> {
  const families = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, usage: (await load()).usage })),
  );
  const all = [...families, { name: 'database', usage: databaseUsage }].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return `# Reference

Settings of the shop and of the agent, the operator's commands, and the scheduled tasks. [Going live](going-live.md) says
which of them a first sale needs.

## Settings of the shop

\`npm start\` reads them from the environment or from \`.env\` in the checkout. [.env.example](../../.env.example) lists
them to copy. A start names every wrong or missing setting at once. The command
\`database prepare\` below sets up a PostgreSQL of your own ([why three roles](../decisions/0010-row-level-security.md)).

${groups.map(({ title, settings }) => `### ${title}\n\n${settingsTable(settings)}`).join('\n\n')}

## Settings of the agent

A VPN host reads them from \`/etc/fixpoint-agent.env\`. More about the agent: [apps/agent](../../apps/agent/README.md).

${settingsTable(settingsOfAgent())}

## Commands

\`npm run shop -- COMMAND\` runs a command on the running shop. Exit codes: 0 success, 1 a problem was found or the command
failed, 64 wrong command line, 69 the database belongs to another version. Without COMMAND it lists all commands.

${all.map(({ name, usage }) => `### ${name}\n\n${commandsTable(usage)}`).join('\n\n')}

## Scheduled tasks

Each runs on one worker at a time. One that fails or hangs raises the alert \`task.failing\` with its name, stops no other, and
runs again when its interval is over; \`npm run shop -- alerts\` lists it until it succeeds. The queue is the one in which it
puts a job for each thing that is due. The times are Bangkok's.

${tasksTable()}
`;
}
