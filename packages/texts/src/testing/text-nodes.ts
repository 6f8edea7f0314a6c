import ts from 'typescript5';

/** Calls that give text. */
const TEXT_CALL =
  /^(t|say|translate|amount|money|number|percent|figure|date\w*|time\w*|typeLabel|brandName|planName|regionName|sessionName|dueText|hoursText)$/;
/** Properties and variables that hold text. */
const TEXT_NAME = /(^|\.)(label|title|name|text|value|unit|was|optional|stateLabel|amount|email)$/;

const isJsx = (node: ts.Node): boolean =>
  ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);

/** Whether an expression may be a text. */
function mayBeText(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return mayBeText(node.expression);
  if (ts.isConditionalExpression(node)) return mayBeText(node.whenTrue) || mayBeText(node.whenFalse);
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText();
    return mayBeText(node.right) || (operator !== '&&' && mayBeText(node.left));
  }
  // `{' '}` is a space, which nobody translates.
  if (ts.isStringLiteralLike(node)) return node.text.trim() !== '';
  if (ts.isTemplateExpression(node)) return true;
  if (ts.isCallExpression(node)) return TEXT_CALL.test(node.expression.getText());
  return (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && TEXT_NAME.test(node.getText());
}

/** Whether an expression is an element in one case, and a text in another. */
const isMixed = (node: ts.Expression): boolean =>
  ts.isParenthesizedExpression(node)
    ? isMixed(node.expression)
    : ts.isConditionalExpression(node) &&
      mayBeText(node) &&
      [node.whenTrue, node.whenFalse].some(part =>
        isJsx(ts.isParenthesizedExpression(part) ? part.expression : part),
      );

const hasContent = (child: ts.JsxChild): boolean =>
  !(ts.isJsxText(child) && child.containsOnlyTriviaWhiteSpaces) &&
  !(ts.isJsxExpression(child) && !child.expression);

/**
 * Texts of a component that are not alone in an element: beside another child, in a fragment, as
 * what a component returns, or where an element may come instead. A browser that translates the page
 * replaces such a text node, and React changes or removes the one that is gone.
 */
export function loneTexts(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const report = (node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${node.getText().replace(/\s+/g, ' ').slice(0, 80)}`);
  };
  const walk = (node: ts.Node, component: boolean): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const children = node.children.filter(hasContent);
      const alone = children.length === 1 && ts.isJsxElement(node);
      for (const child of children) {
        if (!ts.isJsxExpression(child) || !child.expression) continue;
        if (alone ? isMixed(child.expression) : mayBeText(child.expression)) report(child);
      }
    }
    const given = ts.isReturnStatement(node) ? node.expression : undefined;
    if (component && given && mayBeText(given)) report(given);
    const isFunction = ts.isFunctionLike(node);
    const named = isFunction && ts.isFunctionDeclaration(node) && /^[A-Z]/.test(node.name?.text ?? '');
    ts.forEachChild(node, child => walk(child, isFunction ? named : component));
  };
  walk(source, false);
  return found;
}
