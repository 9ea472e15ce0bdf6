/** The package that understands the user's files is not installed. The message says what to do. */
export class ParserMissingError extends Error {
  override readonly name = 'ParserMissingError'

  constructor(options: ErrorOptions) {
    super(
      'Handlers are added by the package ts-morph, which is not installed, or not wholly: npm install ts-morph',
      options,
    )
  }
}
