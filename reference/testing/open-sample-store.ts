import { openServiceStore } from '../store/open-service-store.js'
import type { Store } from '../store/store.js'
import { sampleService } from './sample-spec.js'

/** A store for the samples, without the service around it. */
export function openSampleStore(address: string): Promise<Store> {
  return openServiceStore({ spec: sampleService(), store: address, now: () => new Date(Date.UTC(2024, 5, 1, 12)) })
}
