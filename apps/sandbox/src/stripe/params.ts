import { z } from 'zod';
import { invalid } from './errors.ts';
import type { Form } from './form.ts';

/** Building blocks of a call's parameters; everything arrives as text. */
export const text = z.string();
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'integer')
  .transform(Number);
export const boolean = z.enum(['true', 'false'], 'boolean').transform(value => value === 'true');
export const metadata = z.union([z.record(z.string(), z.string().max(500)), z.literal('')]);
const expand = z.array(z.string()).optional();
export const address = z.strictObject({
  city: text.optional(),
  country: text.optional(),
  line1: text.optional(),
  line2: text.optional(),
  postal_code: text.optional(),
  state: text.optional(),
});
/** The range filter of lists, in seconds. */
export const created = z
  .union([
    integer,
    z.strictObject({
      gt: integer.optional(),
      gte: integer.optional(),
      lt: integer.optional(),
      lte: integer.optional(),
    }),
  ])
  .optional();

/** Refuses an invalid email address; Stripe does not document its own rule. */
export function checkEmail(given: string | undefined, param: string): void {
  if (given && !/^[^\s@]+@[^\s@]+\.[a-z][a-z0-9-]+$/i.test(given))
    throw invalid(`Invalid email address: ${given}`, { code: 'email_invalid', param });
}

/** A call's parameters: strict, so a misspelt one is refused as Stripe does. */
export const params = <S extends z.ZodRawShape>(shape: S) => z.strictObject({ ...shape, expand });

/** Parses, or throws Stripe's error for the first fault. */
export function parse<P>(schema: z.ZodType<P>, form: Form): P {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issue =>
    issue.code === 'invalid_union' ? deepest(issue) : [issue],
  );
  const issue = issues[0]!;
  const name = paramName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map(key => paramName([...issue.path, key]));
    throw invalid(`Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`, {
      code: 'parameter_unknown',
      param: names[0],
    });
  }
  const given = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    form,
  );
  if (given === undefined)
    throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  if (given === '') {
    throw invalid(
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
      { code: 'parameter_invalid_empty', param: name },
    );
  }
  if (issue.message === 'integer') {
    throw invalid(`Invalid integer: ${given}`, { code: 'parameter_invalid_integer', param: name });
  }
  if (issue.message === 'boolean') throw invalid(`Invalid boolean: ${given}`, { param: name });
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    throw invalid(`Invalid ${name}: must be one of ${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`, {
      param: name,
    });
  }
  throw invalid(`Invalid ${typeof given === 'object' ? 'object' : 'string'}: ${name}`, { param: name });
}

function deepest(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const branches = issue.errors.map(branch =>
    branch.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  return branches.sort((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0] ?? [];
}

const paramName = (path: readonly PropertyKey[]) =>
  path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');

/** Merges metadata as Stripe does: an empty value removes a key, an empty map removes all. */
export function mergeMetadata(old: Record<string, string>, given: z.output<typeof metadata> | undefined) {
  if (given === undefined) return old;
  if (given === '') return {};
  return Object.fromEntries(Object.entries({ ...old, ...given }).filter(([, value]) => value !== ''));
}
