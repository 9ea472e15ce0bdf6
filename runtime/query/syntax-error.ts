interface QuerySyntaxProblem {
  readonly text: string
  /** An offset in `text`, in UTF-16 code units. */
  readonly position: number
  readonly expected: readonly string[]
  /** The query option with the error, with its `$`. */
  readonly option?: string | undefined
  /** How to fix the error, as a separate sentence. */
  readonly hint?: string | undefined
  /** Whether `text` is a whole query string rather than the value of `option`. */
  readonly whole?: boolean | undefined
  /** Replaces the default message. */
  readonly message?: string | undefined
}

/**
 * A text breaks the grammar of the query language, so that no service can answer it.
 *
 * @see OData 4.01 URL Conventions, 5.1, and the OData ABNF
 */
export class QuerySyntaxError extends Error {
  override readonly name: string = 'QuerySyntaxError'
  /** The text passed to the parse function. */
  readonly text: string
  /** An offset in `text`, in UTF-16 code units. The length of the text if it ends too early. */
  readonly position: number
  /** What was expected there, as phrases: `an operand`, `` `)` ``. */
  readonly expected: readonly string[]
  /** What was found there, as a phrase: `` `=` ``, `the end`. */
  readonly found: string
  /** The query option with the error: `$filter`. */
  readonly option: string | undefined
  readonly hint: string | undefined

  constructor(problem: QuerySyntaxProblem) {
    const found = foundAt(problem.text, problem.position)
    super(problem.message ?? describeProblem(problem, found))
    this.text = problem.text
    this.position = problem.position
    this.expected = problem.expected
    this.found = found
    this.option = problem.option
    this.hint = problem.hint
  }
}

function describeProblem(problem: QuerySyntaxProblem, found: string): string {
  const { option, position, expected } = problem
  const of = problem.whole === true ? ` of the query${option === undefined ? '' : `, in ${option}`}` : ` of ${option}`
  const hint = problem.hint === undefined ? '' : ` ${problem.hint}`
  const choice = expected.length === 0 ? '' : `, expected ${expected.join(' or ')}`
  return `Syntax error at position ${position}${option === undefined && !problem.whole ? '' : of}: found ${found}${choice}.${hint}`
}

const wordAt = /[\p{L}\p{N}_$@.]{1,40}/uy

function foundAt(text: string, position: number): string {
  const character = text.codePointAt(position)
  if (character === undefined) return 'the end'
  wordAt.lastIndex = position
  const word = wordAt.exec(text)?.[0] ?? String.fromCodePoint(character)
  return word === ' ' ? 'a space' : word === '\t' ? 'a tab' : `\`${word}\``
}

/**
 * A query option starts with `$` but is not a known system query option. The query can be well-formed for another service, so
 * a service should answer that the option is not supported rather than malformed.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
export class UnknownQueryOptionError extends QuerySyntaxError {
  override readonly name = 'UnknownQueryOptionError'
  /** The option as written, `$apply`. */
  readonly unknown: string

  constructor(unknown: string, problem: QuerySyntaxProblem) {
    super({ ...problem, message: describeUnknown(unknown, problem) })
    this.unknown = unknown
  }
}

function describeUnknown(unknown: string, { position, expected }: QuerySyntaxProblem): string {
  return `Unknown query option \`${unknown}\` at position ${position}; the options known here are ${expected.join(', ')}.`
}
