import { allUsage, COMMON_HELP, type Usage } from '@fixpoint/api/cli/help.ts';
import { machineUsage } from '@fixpoint/api/cli/machine-usage.ts';
import { scheduledTasks } from '@fixpoint/api/compose/scheduled-tasks.ts';
import { alertKinds, severityOf } from '@fixpoint/api/modules/alert/index.ts';
import { shapeOf } from '@fixpoint/contract/staff/answer-shape.ts';
import { doneAnswer, machineAnswers } from '@fixpoint/contract/staff/json-answer.ts';
import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import { operations } from '@fixpoint/contract/staff/operations.ts';
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

const commandsTable = (usage: readonly Omit<Usage, 'area'>[]): string =>
  [
    '| command | what it does |',
    '|---|---|',
    ...usage.map(({ form, summary, options }) => {
      const meanings = options.map(({ option, meaning }) => `<br>\`${cell(option)}\`: ${cell(meaning)}`);
      return `| \`${cell(form)}\` | ${cell(summary)}${meanings.join('')} |`;
    }),
  ].join('\n');

/** Shapes of what the commands of an area print with `--json`; none where they print no JSON. */
function answersOf(area: string): string {
  const verbs = Object.entries((operations as Record<string, Record<string, Operation>>)[area] ?? {});
  const shapes = verbs.flatMap(([verb, operation]) => [
    `// ${area} ${verb}\n${shapeOf(doneAnswer(operation))}`,
    ...(operation.plan ? [`// plan of ${area} ${verb}\n${shapeOf(operation.plan)}`] : []),
  ]);
  const onMachine = (machineAnswers as Partial<Record<string, Parameters<typeof shapeOf>[0]>>)[area];
  if (onMachine) shapes.push(`// ${area}\n${shapeOf(onMachine)}`);
  return shapes.length > 0 ? `\n\n\`\`\`ts\n${shapes.join('\n')}\n\`\`\`` : '';
}

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

const alertsTable = (): string =>
  [
    '| alert | severity | what it means |',
    '|---|---|---|',
    ...(Object.keys(alertKinds) as (keyof typeof alertKinds)[])
      .toSorted()
      .map(
        kind => `| ${[`\`${kind}\``, severityOf[kind], alertKinds[kind].summary].map(cell).join(' | ')} |`,
      ),
  ].join('\n');

/**
 * Generates docs/operate/reference.md: every setting of shop and agent, every operator's command, every scheduled task, every
 * kind of alert.
 */
export function referencePage(groups: Group[]): string {
  const byArea = Map.groupBy([...allUsage(), ...machineUsage], ({ area }) => area);
  const all = [...byArea].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `# Reference

Settings of the shop and of the agent, the operator's commands, the scheduled tasks, and the kinds of alerts. [Going live](going-live.md) says
which of them a first sale needs.

## Settings of the shop

\`npm start\` reads them from the environment or from \`.env\` in the checkout. [.env.example](../../.env.example) lists
them to copy. A start names every wrong or missing setting at once. The command
\`database prepare\` below sets up a PostgreSQL of your own ([why several roles](../decisions/0010-row-level-security.md)).

${groups.map(({ title, settings }) => `### ${title}\n\n${settingsTable(settings)}`).join('\n\n')}

## Settings of the agent

A VPN host reads them from \`/etc/fixpoint-agent.env\`. More about the agent: [apps/agent](../../apps/agent/README.md).

${settingsTable(settingsOfAgent())}

## Commands

\`npm run shop -- COMMAND\` runs a command on the running shop. \`npm run shop -- help\` lists all commands.

${COMMON_HELP}
With \`--json\` a command prints one value on standard output, of the shape below its area, and nothing else there: progress and
errors go to standard error. \`int\` is an integer, \`instant\` a time such as \`2027-03-01T03:00:00.000Z\`; amounts are integers, in
hundredths of the currency. A command with a preview first prints \`{ preview: string; expiresAt: instant; plan }\`, or
\`{ nothing: string }\` where there is nothing to do. New members may be added; the present ones stay for a version at least.

${all.map(([area, usage]) => `### ${area}\n\n${commandsTable(usage)}${answersOf(area)}`).join('\n\n')}

## Scheduled tasks

Each runs on one worker at a time. One that fails or hangs raises the alert \`task.failing\` with its name, stops no other, and
runs again when its interval is over; \`npm run shop -- alerts\` lists it until it succeeds. The queue is the one in which it
puts a job for each thing that is due. The times are Bangkok's.

${tasksTable()}

## Alerts

\`npm run shop -- alerts\` lists those that are open, each with what to do. [Be told](alerts.md) says how they reach you.

${alertsTable()}
`;
}
