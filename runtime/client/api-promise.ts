/** How a call ended, for those who would rather look than catch. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T; readonly response: Response }
  | { readonly ok: false; readonly error: E; readonly response: Response }

/** A promise of `T` that rejects with an `E` when the service answers with an error. */
export interface ApiPromise<T, E> extends Promise<T> {
  /** Gives the error as a value. Rejects only when there is no answer: the network failed, or the call was aborted. */
  result(): Promise<Result<T, E>>
}

export const apiPromise = <T, E>(settle: () => Promise<Result<T, E>>): ApiPromise<T, E> => {
  const settled = settle()
  const promise = settled.then(result => {
    if ('error' in result) throw result.error
    return result.value
  })
  return Object.assign(promise, {
    result: () => {
      // Who asks for the result need not catch the promise as well.
      promise.catch(() => {})
      return settled
    },
  })
}
