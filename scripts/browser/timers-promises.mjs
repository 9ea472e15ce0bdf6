export const setTimeout = (delay, value) => new Promise(resolve => globalThis.setTimeout(() => resolve(value), delay))

export const setImmediate = value => setTimeout(0, value)
