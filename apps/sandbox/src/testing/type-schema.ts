import ts from 'typescript5';

/** A JSON Schema, as far as this file creates them. */
export type Schema = boolean | { [keyword: string]: unknown };

/** Kinds of object that the sandbox emits; any other API object in its answers is a mistake. */
const EMITTED = new Set([
  'balance_transaction',
  'charge',
  'customer',
  'dispute',
  'payment_intent',
  'payment_method',
  'refund',
  'setup_attempt',
  'setup_intent',
  'webhook_endpoint',
]);

/**
 * Converts interfaces of an exported namespace into one JSON Schema with an entry of `$defs` each.
 * Undeclared members are refused, and open enums (`'a' | 'b' | OtherString`) are closed, because
 * the sandbox itself must emit listed values.
 */
export function schemaOf(
  file: string,
  namespace: string,
  names: string[],
): { $defs: Record<string, Schema> } {
  const program = ts.createProgram([file], {
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const outer = module && checker.getExportsOfModule(module).find(symbol => symbol.name === namespace);
  if (!outer) throw new Error(`${file} exports no ${namespace}`);
  const real = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = new Map(checker.getExportsOfModule(real(outer)).map(symbol => [symbol.name, symbol]));
  const $defs: Record<string, Schema> = {};
  const namesByType = new Map<ts.Type, string>();

  for (const name of names) {
    const symbol = exported.get(name);
    if (!symbol) throw new Error(`${file} exports no ${name}`);
    define(checker.getDeclaredTypeOfSymbol(real(symbol)), name);
  }
  return { $defs };

  function define(type: ts.Type, name: string): void {
    namesByType.set(type, name);
    $defs[name] = true;
    $defs[name] = ofObject(type);
  }

  function of(type: ts.Type): Schema {
    if (type.isUnion()) return ofUnion(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never)) return false;
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
    if (isOtherString(type)) return { type: 'string' };
    if (checker.isArrayType(type)) {
      return { type: 'array', items: of(checker.getTypeArguments(type as ts.TypeReference)[0]!) };
    }
    if (type.flags & ts.TypeFlags.Object) return ofReference(type);
    throw new Error(`No schema for ${checker.typeToString(type)}`);
  }

  function ofUnion(types: ts.Type[]): Schema {
    const literals = types.filter(type => type.isStringLiteral());
    const rest = types.filter(type => !type.isStringLiteral() && !(literals.length && isOtherString(type)));
    const schemas = rest.map(of).filter(schema => schema !== false);
    if (literals.length) schemas.push({ enum: literals.map(type => type.value) });
    return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  }

  function ofReference(type: ts.Type): Schema {
    const kind = type.getProperty('id') && kindOf(type);
    if (kind && !EMITTED.has(kind)) return false;
    if (!namesByType.has(type)) define(type, `${type.symbol.name}-${namesByType.size}`);
    return { $ref: `#/$defs/${namesByType.get(type)}` };
  }

  function ofObject(type: ts.Type): Schema {
    const members = type.getProperties();
    const index = type.getStringIndexType();
    // An interface without members describes no content.
    if (members.length === 0) return { type: 'object', ...(index && { additionalProperties: of(index) }) };
    const optional = (member: ts.Symbol) => Boolean(member.flags & ts.SymbolFlags.Optional);
    return {
      type: 'object',
      properties: Object.fromEntries(
        members.map(member => [member.name, of(checker.getTypeOfSymbol(member))]),
      ),
      required: members.filter(member => !optional(member)).map(member => member.name),
      additionalProperties: index ? of(index) : false,
    };
  }

  function kindOf(type: ts.Type): string | undefined {
    const member = type.getProperty('object');
    const literal = member && checker.getTypeOfSymbol(member);
    return literal?.isStringLiteral() ? literal.value : undefined;
  }

  /** Stripe's `OtherString` is `string & Record<never, never>`. */
  function isOtherString(type: ts.Type): boolean {
    return type.isIntersection() && type.types.some(part => part.flags & ts.TypeFlags.String);
  }
}
