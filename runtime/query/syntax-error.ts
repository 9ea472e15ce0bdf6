/** What a `QuerySyntaxError` reports. */
interface QuerySyntaxProblem {
  /** The text that was given to the parse function. */
  readonly text: string
  /** Where in `text`, in UTF-16 code units from 0. */
  readonly position: number
  readonly expected: readonly string[]
  /** The query option at fault, with its `$`. */
  readonly option?: string | undefined
  /** How to put it right, as a sentence of its own. */
  readonly hint?: string | undefined
  /** Whether `text` is a whole query string rather than the value of `option`. */
  readonly whole?: boolean | undefined
  /** The whole message, where the usual one would not say it. */
  readonly message?: string | undefined
}

/**
 * The text is no query: it breaks the grammar, so that no service could answer it.
 *
 * @see OData 4.01 URL Conventions, 5.1, and the OData ABNF
 */
export class QuerySyntaxError extends Error {
  override readonly name: string = 'QuerySyntaxError'
  /** The text that was given to the parse function. */
  readonly text: string
  /** Where in `text`, in UTF-16 code units from 0; the length of the text when it ends too early. */
  readonly position: number
  /** What could have stood there, as phrases: `an operand`, `` `)` ``. */
  readonly expected: readonly string[]
  /** What stands there, as a phrase: `` `=` ``, `the end`. */
  readonly found: string
  /** The query option at fault, with its `$`: `$filter`. */
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
 * A query option that begins with `$` and is no system query option that this language knows. The query may be well
 * written for another service: a service answers it as "not supported here", not as a mistake in writing. It is a
 * `QuerySyntaxError` too, so that whoever does not care for the difference catches one type.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
export class UnknownQueryOptionError extends QuerySyntaxError {
  override readonly name = 'UnknownQueryOptionError'
  /** The option as it was written, `$apply`. */
  readonly unknown: string

  constructor(unknown: string, problem: QuerySyntaxProblem) {
    super({ ...problem, message: describeUnknown(unknown, problem) })
    this.unknown = unknown
  }
}

function describeUnknown(unknown: string, { position, expected }: QuerySyntaxProblem): string {
  return `Unknown query option \`${unknown}\` at position ${position}; the options known here are ${expected.join(', ')}.`
}
