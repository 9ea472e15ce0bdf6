export * from './aspects.js'
export type * from './operation.js'
export type * from './service.js'
export * from './types.js'
