import type { ts as Ts } from 'ts-morph'

/** The object literal that an expression is, `satisfies`, `as`, `<T>` and parentheses aside. */
export function objectLiteralOf(ts: typeof Ts, expression: Ts.Expression): Ts.ObjectLiteralExpression | undefined {
  let inner = expression
  while (
    ts.isSatisfiesExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isTypeAssertionExpression(inner) ||
    ts.isParenthesizedExpression(inner)
  ) {
    inner = inner.expression
  }
  return ts.isObjectLiteralExpression(inner) ? inner : undefined
}
