/**
 * How deep parentheses, calls, lambdas, literals, signs and nested options may stand inside each other. More is refused by
 * parser, printer and evaluator alike, so that no query can exhaust the stack. Chains such as `a or b or c` do not nest.
 */
export const maxNesting = 100
