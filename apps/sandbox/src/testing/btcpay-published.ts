import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { Exchange } from '../exchange.ts';
import { contentOf, createFaultFinder, type Json, plain } from './published.ts';

/**
 * Differences between the description and BTCPay's own source (2.1.2 to 2.4.1): serialisation
 * (`PullPaymentData`, `PayoutData`, `WebhookPayoutEvent` of BTCPayServer.Client), accepted and
 * refused input (`GreenfieldInvoiceController`).
 */
const MISDESCRIBED = [
  // A pull payment also has start and expiry; days are a number, as are a payout's seconds.
  /"(startsAt|expiresAt)"/,
  /\/(BOLT11Expiration|date) must be string/,
  // Absent until it is paid.
  /\/paymentProof must be object/,
  // A server without Tor sets it to null.
  /\/onion must be string/,
  // A single fault without a field is an object.
  / 400 must be array/,
  // Described as the payout itself, but sent as an event that refers to it.
  /^Payout(Created|Updated) must NOT have additional properties/,
  // Since 2.4.1 only its replacement, a list, is described; older servers do not read that.
  /\/refund sent must NOT have additional properties \{"additionalProperty":"payoutMethodId"\}/,
];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks requests to and answers of the sandbox against the description that a BTCPay Server
 * publishes: its `wwwroot/swagger/v1/swagger.template.*.json`.
 * @param folder of these files
 */
export function createBtcpayChecker(folder: string) {
  const templates = readdirSync(folder)
    .filter(name => /^swagger\.template(\..+)?\.json$/.test(name))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '')) as Json);
  const all = (pick: (template: Json) => unknown): Json =>
    Object.assign({}, ...templates.map(template => pick(template) ?? {}));
  const described = all(({ components }) => (components as Json | undefined)?.schemas);
  const paths = all(template => template.paths);
  const hooks = all(template => template['x-webhooks']);

  const named = (ref: unknown): Json => {
    const name = String(ref).replace('#/components/schemas/', '');
    if (!described[name]) throw new Error(`BTCPay describes no ${name}`);
    return described[name] as Json;
  };
  /** Merges several schemas of one object; only then can additional members be detected. */
  function merged(parts: Json[]): Json {
    const flat = parts.map(part => (part.$ref ? named(part.$ref) : part)).map(part => objectOf(part));
    return {
      ...Object.assign({}, ...flat),
      properties: Object.assign({}, ...flat.map(part => part.properties ?? {})),
      required: [...new Set(flat.flatMap(part => (part.required as string[] | undefined) ?? []))],
    };
  }
  const objectOf = (schema: Json): Json => {
    const { allOf, ...own } = schema;
    return allOf ? merged([...(allOf as Json[]), own]) : schema;
  };
  /** Converts to JSON Schema: OpenAPI 3.0 uses `nullable`, and undescribed members are faults. */
  function toJsonSchema(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(toJsonSchema);
    if (!isObject(schema)) return schema;
    const { nullable, description: _, example: __, format: ___, ...own } = objectOf(schema);
    const parts = Object.entries(own).map(([name, value]) => [name, toJsonSchema(value)]);
    const found = Object.fromEntries(parts) as Json;
    if (isObject(own.properties) && Object.keys(own.properties).length > 0 && !own.additionalProperties) {
      // A member may be named like a keyword.
      const members = Object.entries(own.properties).map(([name, value]) => [name, toJsonSchema(value)]);
      Object.assign(found, { properties: Object.fromEntries(members), additionalProperties: false });
    }
    return nullable ? { anyOf: [found, { type: 'null' }] } : found;
  }

  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'btcpay', components: { schemas: toJsonSchema(described) } });
  const compile = (schema: unknown) =>
    ajv.compile(JSON.parse(JSON.stringify(toJsonSchema(schema)).replaceAll('"#/', '"btcpay#/')));
  const faultsOf = createFaultFinder(compile, MISDESCRIBED);

  /**
   * Finds the operation regardless of parameter names; from 2.4 on the store is omitted where the
   * rest is unique.
   */
  function operationOf(method: string, path: string): Json | undefined {
    const wanted = [plain(path), plain(path.replace('/stores/:store', ''))];
    const found = wanted.flatMap(each => Object.entries(paths).filter(([name]) => plain(name) === each));
    return (found[0]?.[1] as Json | undefined)?.[method.toLowerCase()] as Json | undefined;
  }

  return {
    /** Returns the faults of an accepted request, and of its answer. */
    exchange({ method, path, request, status, body }: Exchange): string[] {
      const operation = operationOf(method, path);
      const where = `${method} ${path}`;
      if (!operation) return [`${where}: BTCPay describes no such call`];
      const asked = contentOf(operation.requestBody);
      const said = contentOf((operation.responses as Json)[String(status)]);
      return [
        ...(asked && status === 200 ? faultsOf(asked, request, `${where} sent`) : []),
        ...(said ? faultsOf(said, body, `${where} ${status}`) : []),
      ];
    },
    /** Returns the faults of an event, if its kind is described. */
    event(told: { type: string }): string[] {
      const { post } = (hooks[told.type] ?? {}) as { post?: Json };
      const schema = contentOf(post?.requestBody);
      return schema ? faultsOf(schema, told, told.type) : [];
    },
  };
}
