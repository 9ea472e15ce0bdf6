/**
 * A tree that no text of the query language stands for: a name that is no identifier, a literal whose value does not fit
 * its type, a list of literals outside `in`. Nothing is printed, so that no value can pass itself off as syntax.
 */
export class PrintError extends Error {
  override readonly name: string = 'PrintError'
}
