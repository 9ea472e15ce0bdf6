/** A row of the interface that has no counterpart in the spec, or one that says something else. */
export interface Finding {
  /** Section and row, `2.1 department`. */
  readonly row: string
  readonly problem: string
}

/** The problems that hold, each a finding of the row. */
export function findings(
  row: string,
  problems: Readonly<Record<string, boolean>> | readonly string[],
): readonly Finding[] {
  const found = Array.isArray(problems)
    ? problems
    : Object.entries(problems).flatMap(([text, is]) => (is ? [text] : []))
  return found.map(problem => ({ row, problem }))
}
