/** Whether a text can stand where ECMAScript wants an IdentifierName; reserved words can. */
export function isIdentifierName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text)
}
