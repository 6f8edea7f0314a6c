import { z } from 'zod';
import type { Operation } from './operation.ts';

/** What a command prints with `--json` when it is done: the answer of its operation, without the content of a file. */
export const doneAnswer = ({ data, download }: Operation): z.ZodType =>
  download ? (data as z.ZodObject).omit({ content: true }) : data;

const todo = z.object({
  todo: z.array(z.object({ about: z.string(), todo: z.string() })),
});

const installed = z.object({
  version: z.string().optional(),
  installed: z.boolean(),
  /** Why it did not go on. */
  refused: z.string().optional(),
  /** Packages of the agent that hosts can install now. */
  agents: z.array(z.string()).optional(),
  /** What the installed version says of itself. */
  checks: z.array(z.object({ command: z.string(), passed: z.boolean(), says: z.string() })).optional(),
});

/** What the commands on the machine itself print with `--json`. */
export const machineAnswers = { setup: todo, doctor: todo, upgrade: installed, rollback: installed };

/** What became of an upgrade or of a way back. */
export type Installed = z.infer<typeof installed>;
