import { readFile } from 'node:fs/promises';
import { type Operation, reason as reasonSchema, type Shown } from '@fixpoint/contract/staff/operation.ts';
import { z } from 'zod';

/** A mistake in the command line. The help of the command is printed below its message. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A member of an operation's input as the command line has it. */
export type Member = Shown & { name: string; option: string; isFlag: boolean; isRequired: boolean };

/** Members of the input, with what the command line needs to know of their schemas. */
export function membersOf({ input }: Operation): Member[] {
  return Object.entries(input.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    let inner: z.ZodType = schema;
    let shown = inner.meta() as Shown | undefined;
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) {
      inner = inner.unwrap() as z.ZodType;
      shown ??= inner.meta() as Shown | undefined;
    }
    return {
      ...(shown?.placeholder !== undefined && { placeholder: shown.placeholder }),
      ...(shown?.description !== undefined && { description: shown.description }),
      ...(shown?.fromFile && { fromFile: true }),
      name,
      option: name.replace(/[A-Z]/g, capital => `-${capital.toLowerCase()}`),
      isFlag: inner instanceof z.ZodBoolean,
      isRequired: !schema.safeParse(undefined).success,
    };
  });
}

/** Options that commands have besides the input of their operation. */
export type Common = {
  json: boolean;
  help: boolean;
  yes: boolean;
  confirm?: string | undefined;
  output?: string | undefined;
};
export type Parsed = Common & { input: Record<string, unknown>; reason?: string | undefined };

const COMMON_FLAGS = ['json', 'help', 'yes'];

/** Parses the words after area and verb. @throws UsageError */
export async function parseCommand(operation: Operation, words: readonly string[]): Promise<Parsed> {
  const members = membersOf(operation);
  const { options, plain } = readWords(operation, members, words);
  const common: Common = {
    json: options.has('json'),
    help: options.has('help'),
    yes: options.has('yes'),
    confirm: options.get('confirm'),
    output: options.get('output'),
  };
  if (common.help) return { ...common, input: {} };
  const positional = (operation.positional ?? []).map(name => members.find(each => each.name === name)!);
  if (plain.length > positional.length)
    throw new UsageError(`Unexpected argument: ${plain[positional.length]}`);
  const input: Record<string, unknown> = {};
  for (const member of members) {
    const at = positional.indexOf(member);
    const value = options.get(member.option) ?? (at < 0 ? undefined : plain[at]);
    if (value === undefined || (value === '' && !member.isFlag)) {
      if (member.isRequired) throw new UsageError(missing(member, at >= 0));
      continue;
    }
    input[member.name] = member.isFlag ? true : member.fromFile ? await textOf(value) : value;
  }
  return { ...common, input: checked(operation, input), reason: reasonOf(operation, options.get('reason')) };
}

const missing = ({ option, placeholder }: Member, isPositional: boolean): string =>
  isPositional ? `${placeholder} is missing` : `--${option} is missing`;

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });

/** Sorts words into options and others. */
function readWords(operation: Operation, members: readonly Member[], words: readonly string[]) {
  const flags = new Set([
    ...members.filter(({ isFlag }) => isFlag).map(({ option }) => option),
    ...COMMON_FLAGS,
  ]);
  if (!operation.unattended) flags.delete('yes');
  const valued = new Set(members.filter(({ isFlag }) => !isFlag).map(({ option }) => option));
  if (operation.reason !== 'none') valued.add('reason');
  if (operation.preview) valued.add('confirm');
  if (operation.download) valued.add('output');
  const options = new Map<string, string>();
  const plain: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, name = '', equals] = /^--([a-z][a-z0-9-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (!name) plain.push(word);
    else if (flags.has(name) && equals === undefined) options.set(name, '');
    else if (valued.has(name)) options.set(name, equals ?? left.shift() ?? '');
    else throw new UsageError(`Unknown option: ${word}`);
  }
  return { options, plain };
}

function checked({ input: schema }: Operation, input: Record<string, unknown>): Record<string, unknown> {
  const { data, error } = schema.safeParse(input);
  if (!error) return data as Record<string, unknown>;
  const [issue] = error.issues;
  throw new UsageError(
    issue!.message.startsWith('Invalid') ? `${issue!.path.join('.')}: ${issue!.message}` : issue!.message,
  );
}

function reasonOf({ reason: kind }: Operation, given: string | undefined): string | undefined {
  if (kind === 'none' || (kind === 'optional' && given === undefined)) return undefined;
  if (!given?.trim()) throw new UsageError('--reason is missing');
  const { data, error } = reasonSchema.safeParse(given);
  if (error) throw new UsageError(error.issues[0]!.message);
  return data;
}
