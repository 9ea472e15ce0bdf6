/**
 * Whether a text can stand unquoted as the name of a member, in the eyes of every compiler: which other letters a
 * compiler knows depends on how old its Unicode is.
 */
export const isIdentifierName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
