import { QuerySyntaxError } from '../query-syntax-error.js'

/** The error with which a parse ends; any other outcome is thrown. */
export function syntaxErrorOf(parse: () => unknown): QuerySyntaxError {
  try {
    parse()
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error
    throw error
  }
  throw new Error('The text was read without an error.')
}
