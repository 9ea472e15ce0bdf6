import { StoreError } from './store-error.js'

/**
 * Gives work that a statement calls for row by row no more time than it may take altogether: SQLite runs inside this process,
 * and all else waits for it. A call that has begun runs to its end.
 *
 * @param longest milliseconds in one statement
 * @throws {StoreError} `tooSlow`, from the work that is given back
 */
export function withinTime<Given extends readonly unknown[], Value>(
  work: (...given: Given) => Value,
  longest: number,
): (...given: Given) => Value {
  let spent: number | undefined
  return (...given) => {
    if (spent === undefined) {
      spent = 0
      // A statement runs to its end before anything else does.
      queueMicrotask(() => {
        spent = undefined
      })
    }
    if (spent > longest) throw new StoreError('tooSlow', new Error(`More than ${longest} ms of one function.`))
    const start = performance.now()
    try {
      return work(...given)
    } finally {
      spent += performance.now() - start
    }
  }
}
