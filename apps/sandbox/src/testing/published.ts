import type { ValidateFunction } from 'ajv';

export type Json = { [name: string]: unknown };

/** A path with its parameters replaced by `*`. */
export const plain = (path: string): string => path.replace(/\{[^}]+\}|:[^/]+/g, '*');

/**
 * The schema of a request's or an answer's body in an OpenAPI description; undefined if none is
 * described.
 */
export const contentOf = (of: unknown): unknown => {
  const { content } = (of ?? {}) as { content?: Record<string, { schema: unknown }> };
  return content?.['application/json']?.schema;
};

/**
 * Finds deviations from a described schema, one line each.
 * @param compile compiles a schema into a check
 * @param misdescribed lines where the description differs from the provider's behaviour
 */
export function createFaultFinder(
  compile: (schema: unknown) => ValidateFunction,
  misdescribed: readonly RegExp[],
) {
  const compiled = new Map<unknown, ValidateFunction>();
  return (schema: unknown, value: unknown, where: string): string[] => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    if (validate(JSON.parse(JSON.stringify(value ?? null)))) return [];
    return validate
      .errors!.map(
        ({ instancePath, message, params }) => `${where}${instancePath} ${message} ${JSON.stringify(params)}`,
      )
      .filter(fault => !misdescribed.some(known => known.test(fault)));
  };
}
