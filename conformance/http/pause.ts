/** Milliseconds that a timer takes at most; a longer one would end at once. */
const longest = 2 ** 31 - 1

/** Waits; ends early, without an error, when the signal says so. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; left > 0 && signal?.aborted !== true; left -= longest) {
    await timer(Math.min(left, longest), signal)
  }
}

function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timeout = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}
