export { defaultBatchLimits } from './batch-request.js'
export { type Batches, type BatchSettings, batches } from './batch-route.js'
