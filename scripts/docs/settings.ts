import { agentSettings } from '@fixpoint/agent/env.ts';
import { schema } from '@fixpoint/api/env/schema.ts';
import { startSettings } from '@fixpoint/dev-stack/env.ts';

/** One setting as docs/operate/reference.md and .env.example show it. */
export interface Setting {
  name: string;
  meaning: string;
  /** In Markdown; empty when there is none. */
  byDefault: string;
  example: string;
}

export interface Group {
  title: string;
  settings: Setting[];
}

/** Settings of the shop in the order of the schema. @throws Error for a setting without description */
export function shopSettings(): Group[] {
  const groups: Group[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const { group, description, example, byDefault } = (field.meta() ?? {}) as Record<string, string>;
    if (!group || !description) throw new Error(`${name} has no group or meaning in env/schema.ts`);
    const constant = plain(field.safeParse(undefined).data);
    const setting = {
      name,
      meaning: description,
      byDefault: byDefault ?? (constant && code(constant)),
      example: example ?? constant,
    };
    if (groups.at(-1)?.title !== group) groups.push({ title: group, settings: [] });
    groups.at(-1)!.settings.push(setting);
  }
  return [...groups, { title: 'Installation', settings: Object.entries(startSettings).map(ofTable) }];
}

export const settingsOfAgent = (): Setting[] => Object.entries(agentSettings).map(ofTable);

const ofTable = ([name, { meaning, byDefault = '', example }]: [
  string,
  { meaning: string; byDefault?: string; example: string },
]): Setting => ({ name, meaning, byDefault: byDefault && code(byDefault), example });

const code = (value: string): string => `\`${value}\``;

/** A default value as text for the environment; empty for an empty list or record. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (value === undefined || typeof value === 'object') return '';
  return String(value);
}
