/** What a reader returns for a value that is not of its type. */
export const unfit: unique symbol = Symbol('unfit')
