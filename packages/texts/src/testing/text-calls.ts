import ts from 'typescript5';

/** A use of a text in a screen: its possible keys, and the names of its arguments. */
type TextCall = { at: string; keys: string[]; given: string[] };

/**
 * Calls of `t` and `translate` with literal keys and arguments. Keys and arguments built elsewhere
 * are skipped.
 */
export function textCalls(path: string, text: string): TextCall[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const objects = new Map<string, ts.Expression>();
  const calls: ts.CallExpression[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      objects.set(node.name.getText(), node.initializer);
    }
    if (ts.isCallExpression(node) && /^(t|translate)$/.test(node.expression.getText())) calls.push(node);
    ts.forEachChild(node, walk);
  };
  walk(source);

  const keysOf = (node: ts.Expression | undefined): string[] => {
    if (!node) return [];
    if (ts.isStringLiteral(node)) return [node.text];
    return ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse].flatMap(keysOf) : [];
  };
  const namesOf = (node: ts.Expression | undefined): string[] | undefined => {
    if (!node) return [];
    if (ts.isIdentifier(node) && objects.has(node.text)) return namesOf(objects.get(node.text));
    if (!ts.isObjectLiteralExpression(node)) return undefined;
    const names = node.properties.map(each =>
      ts.isSpreadAssignment(each) ? namesOf(each.expression) : [each.name!.getText()],
    );
    return names.includes(undefined) ? undefined : names.flatMap(each => each!);
  };
  return calls.flatMap(call => {
    const keys = keysOf(call.arguments[0]);
    const given = namesOf(call.arguments[1]);
    return given ? [{ at: `${path}: ${call.getText().replace(/\s+/g, ' ')}`, keys, given }] : [];
  });
}
