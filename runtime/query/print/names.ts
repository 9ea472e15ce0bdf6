import { isIdentifier, isQualifiedName } from '../lexical/identifier.js'
import { PrintError } from '../print-error.js'

/** The name, when it is an identifier. @throws {PrintError} */
export function printIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new PrintError(`${JSON.stringify(name)} is no identifier.`)
  return name
}

/** The name, when it is an identifier or a qualified name. @throws {PrintError} */
export function printQualifiedName(name: string): string {
  if (!isIdentifier(name) && !isQualifiedName(name)) throw new PrintError(`${JSON.stringify(name)} is no name.`)
  return name
}
