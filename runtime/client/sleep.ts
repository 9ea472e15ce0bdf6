/** Waits so many milliseconds. Rejects with the signal's reason when it is aborted, before or meanwhile. */
export const sleep = (milliseconds: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
