import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** What is wrong with a value, where its field does not say so itself. Never quotes the value, which may be a secret. */
function inWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'must be a whole number' : `must be a ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive ? `${issue.minimum} or more` : `more than ${issue.minimum}`}`;
    case 'too_big':
      return `must be ${issue.maximum} or less`;
    default:
      return 'is not valid';
  }
}

/**
 * Reads one setting.
 * @returns its value, or a line that names the setting, what is wrong with it, and an example
 */
export function readSetting<S extends z.ZodType>(
  name: string,
  field: S,
  given: string | undefined,
): { value: z.output<S> } | { fault: string } {
  const { data, error } = field.safeParse(given, { error: inWords });
  if (!error) return { value: data };
  const example = exampleOf(field);
  const fault = given === undefined ? `${name} is missing` : `${name}: ${error.issues[0]!.message}`;
  return { fault: `${fault}. Example: ${name}=${example}` };
}

/** An example of a setting: that of the reference, else its default. */
function exampleOf(field: z.ZodType): string {
  const { example } = (field.meta() ?? {}) as { example?: string };
  if (example) return example;
  const { data } = field.safeParse(undefined);
  return ['string', 'number', 'boolean'].includes(typeof data) && data !== '' ? String(data) : '...';
}
