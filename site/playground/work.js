// Threads for the playground. One that does not answer in time, because of a spec that keeps it busy, is replaced.

/** @returns a function that runs a job in a thread, and rejects if the job fails */
export function createWork(milliseconds = 60_000) {
  let worker
  let next = 0
  const waiting = new Map()

  const start = () => {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data: { id, result, error } }) => {
      const { resolve, reject, timer } = waiting.get(id) ?? {}
      clearTimeout(timer)
      waiting.delete(id)
      if (error === undefined) resolve?.(result)
      else reject?.(new Error(error))
    })
    worker.addEventListener('error', ({ message }) => stop(message || 'The thread failed.'))
  }
  const stop = reason => {
    worker?.terminate()
    worker = undefined
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(new Error(reason))
    }
    waiting.clear()
  }

  return (job, input) =>
    new Promise((resolve, reject) => {
      if (worker === undefined) start()
      const id = next++
      const timer = setTimeout(() => stop(`No answer within ${milliseconds / 1000} seconds.`), milliseconds)
      waiting.set(id, { resolve, reject, timer })
      worker.postMessage({ id, job, input })
    })
}
