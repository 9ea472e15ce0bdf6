export const threadId = 0
export const isMainThread = true
export const workerData = undefined
export const parentPort = null
