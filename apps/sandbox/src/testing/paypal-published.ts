import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import type { Exchange } from '../exchange.ts';
import { contentOf, createFaultFinder, type Json, plain } from './published.ts';

/** Differences between PayPal's description and its own library and guides. */
const MISDESCRIBED = [
  // A charge without the buyer states so; the library has it (`PaypalWalletStoredCredential`).
  /payment_source\/paypal must NOT have unevaluated properties \{"unevaluatedProperty":"stored_credential"\}/,
  // The library is newer than the description here.
  /usage_pattern must be equal to one of the allowed values/,
  // An empty result is an empty list.
  /\/(transaction_details|links|items) must NOT have fewer than 1 items/,
  // The body is optional, and the library sends none.
  /\/capture sent must be object/,
];

type Parameter = { name: string } | { $ref: string };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPattern = (text: unknown): boolean => {
  try {
    new RegExp(String(text), 'u');
    return true;
  } catch {
    return false;
  }
};

/** Treats undescribed members as faults. */
const closed = (schema: unknown): Json => ({ allOf: [toJsonSchema(schema)], unevaluatedProperties: false });

/** Converts to JSON Schema; some of PayPal's patterns are invalid. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).filter(([name, value]) => name !== 'pattern' || isPattern(value));
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (name === 'properties' && isObject(value))
        return [name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]))];
      return [name, name === 'items' && isObject(value) ? closed(value) : toJsonSchema(value)];
    }),
  );
}

/**
 * Checks requests to and answers of the sandbox against the descriptions that PayPal publishes of
 * its API.
 * @param folder `openapi` of github.com/paypal/paypal-rest-api-specifications
 */
export function createPaypalChecker(folder: string) {
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  const descriptions = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => {
      const { paths, components } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        paths: Record<string, Json>;
        components: { schemas: Json; parameters?: Record<string, { name: string }> };
      };
      const schemas = Object.entries(components.schemas).map(([key, value]) => [key, toJsonSchema(value)]);
      ajv.addSchema({ $id: name, components: { schemas: Object.fromEntries(schemas) } });
      const compile = (schema: unknown) =>
        ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', `"${name}#/`)));
      const parametersOf = ({ parameters = [] }: { parameters?: Parameter[] }) =>
        parameters.map(one => ('$ref' in one ? components.parameters![one.$ref.split('/').at(-1)!]! : one));
      return { paths, parametersOf, faultsOf: createFaultFinder(compile, MISDESCRIBED) };
    });

  return {
    /** Returns the faults of an accepted request, and of its answer. */
    exchange({ method, path, query = {}, request, status, body }: Exchange): string[] {
      const where = `${method} ${path}`;
      if (status >= 300) return [];
      for (const { paths, parametersOf, faultsOf } of descriptions) {
        const [, calls] = Object.entries(paths).find(([name]) => plain(name) === plain(path)) ?? [];
        const operation = calls?.[method.toLowerCase()] as Json | undefined;
        if (!operation) continue;
        const asked = contentOf(operation.requestBody);
        const answers = operation.responses as Json;
        // A repeated call is answered with 200, which only some descriptions have.
        const said = contentOf(answers[String(status)] ?? answers['201']);
        const named = new Set(parametersOf(operation).map(({ name }) => name));
        return [
          ...Object.keys(query)
            .filter(name => !named.has(name))
            .map(name => `${where}: PayPal describes no ${name}`),
          ...(asked ? faultsOf(asked, request, `${where} sent`) : []),
          ...(said ? faultsOf(said, body, `${where} ${status}`) : []),
        ];
      }
      return [`${where}: PayPal describes no such call`];
    },
  };
}
