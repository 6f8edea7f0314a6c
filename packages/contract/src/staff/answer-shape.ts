import { z } from 'zod';

type Json = {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Json[];
  oneOf?: Json[];
  items?: Json;
  prefixItems?: Json[];
  properties?: Record<string, Json>;
  required?: string[];
  additionalProperties?: Json | boolean;
};

const WIDTH = 120;

/**
 * The shape of an answer as it is read: like a type of TypeScript, with `int` for integers and `instant` for times. A member
 * with `?` may be absent.
 */
export const shapeOf = (schema: z.ZodType): string =>
  shape(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json, '');

function shape(json: Json, indent: string): string {
  const { type, format, anyOf, oneOf, items, properties, additionalProperties: more } = json;
  if (Array.isArray(type)) return type.map(each => shape({ ...json, type: each }, indent)).join(' | ');
  if ('const' in json) return JSON.stringify(json.const);
  if (json.enum) return json.enum.map(each => JSON.stringify(each)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(each => shape(each, indent)))].join(' | ');
  if (type === 'array') {
    if (json.prefixItems) return `[${json.prefixItems.map(each => shape(each, indent)).join(', ')}]`;
    const item = shape(items ?? {}, indent);
    return / \| (?![^{]*\})/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (properties) return objectShape(json, indent);
  if (type === 'object') return `{ [name]: ${typeof more === 'object' ? shape(more, indent) : 'any'} }`;
  if (type === 'integer') return 'int';
  if (type === 'string' && format === 'date-time') return 'instant';
  return type ?? 'any';
}

function objectShape({ properties = {}, required = [] }: Json, indent: string): string {
  const members = (inner: string) =>
    Object.entries(properties).map(
      ([name, json]) => `${name}${required.includes(name) ? '' : '?'}: ${shape(json, inner)}`,
    );
  if (members(indent).length === 0) return '{}';
  const line = `{ ${members(indent).join('; ')} }`;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  return `{\n${members(inner)
    .map(member => `${inner}${member}\n`)
    .join('')}${indent}}`;
}
