export * from './aspects.js'
export type * from './service.js'
export type * from './types.js'
export * from './types.js'
