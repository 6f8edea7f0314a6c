import type { Input } from './matrix-samples.ts';

/** A text in a request, and the request with another text in its place. */
export type StringField = { name: string; with(text: string): Input };

/** Every text of a request at any depth: in body, query and path. */
export function stringFields(input: Input): StringField[] {
  const fields: StringField[] = [];
  const walk = (value: unknown, name: string, place: (item: unknown) => Input) => {
    if (typeof value === 'string') fields.push({ name, with: place });
    if (!value || typeof value !== 'object') return;
    for (const [key, item] of Object.entries(value)) {
      walk(item, name ? `${name}.${key}` : key, changed => {
        if (!Array.isArray(value)) return place({ ...value, [key]: changed });
        return place(value.map((other, at) => (String(at) === key ? changed : other)));
      });
    }
  };
  walk(input, '', item => item as Input);
  return fields;
}
