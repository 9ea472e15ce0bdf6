import { ParserMissingError } from './parser-missing-error.js'

/**
 * Loads what understands the user's files. Nothing else needs it, so it may have been left out of an installation.
 *
 * @throws {ParserMissingError} when it is not installed
 */
export async function loadParser(): Promise<typeof import('ts-morph')> {
  try {
    return await import('ts-morph')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new ParserMissingError({ cause: error })
    throw error
  }
}
