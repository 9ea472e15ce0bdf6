// The reference service

export { StoreError } from '../sql/index.js'
// Data files and seeds
export { DataError, readData } from './data/read-data.js'
export { seedLines } from './data/seed/seed-lines.js'
export { parseRowCounts, type RowCounts, rowCountNames, SeedError, seededSets } from './data/seed/seed-rows.js'
// Handlers of your own
export type { OwnService } from './handlers/own-service.js'
export { type EndpointDescription, endpointDescriptions } from './host/endpoint-description.js'
export { type HttpOptions, type HttpServer, serveHttp } from './host/http-server.js'
export {
  firstAuthenticated,
  fixedTokenAuthentication,
  jwtAuthentication,
  minSecretBytes,
  mintToken,
} from './host/identity.js'
export { createMetrics, type Metrics, type ProcessUsage } from './host/metrics.js'
// Hosting
export { type HttpHandler, withCors, withRateLimit, withRefusedOrigins } from './host/middleware.js'
export { openapiDocuments } from './host/openapi-documents.js'
export { isLoopback, type Page, type PageAsset, pagePaths, pageRenderer, withPage } from './host/page.js'
export { errorLine, type LogFormat, serverErrorLine, withLog } from './host/request-log.js'
export { createMockService, type Fault, type MockOptions, type MockService } from './mock-service.js'
export { createReferenceService, type ReferenceOptions, type ReferenceService } from './reference-service.js'
export { standardRoutes } from './routes/standard-routes.js'
export { DriverError } from './store/engines/engine.js'
export { MigrationError } from './store/migrations/migrate.js'
export { SpecError } from './store/open-store.js'
export type { EntityRecord, ItemKey, RecordOwner } from './store/store.js'
export type { LoadOptions } from './store/write/load-records.js'
