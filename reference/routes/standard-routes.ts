import type { ExtraRoute, ServiceTable } from '../../runtime/server/index.js'
import { batchRoute } from './batch.js'
import { healthRoute } from './health.js'
import { type MetadataText, metadataRoute } from './metadata.js'
import { serviceDocument } from './service-document.js'

/** What every service has beside the paths of its spec: service document, `$metadata`, `$batch`, `/healthz`. */
export function standardRoutes(
  table: ServiceTable,
  metadata: MetadataText,
  probe: () => Promise<boolean>,
): readonly ExtraRoute[] {
  return [...serviceDocument(table), ...metadataRoute(table, metadata), ...batchRoute(table), healthRoute(probe)]
}
