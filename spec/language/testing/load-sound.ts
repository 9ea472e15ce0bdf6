import { expect } from 'vitest'
import { formatDiagnostics } from '../diagnostics/format/format-diagnostics.js'
import { loadSpecText } from '../load.js'
import type { Service } from '../model/service.js'

/** The model of a spec that must be sound. */
export async function loadSound(text: string): Promise<Service> {
  const { service, diagnostics } = await loadSpecText(text, 'spec.yaml')
  expect(formatDiagnostics(diagnostics, { format: 'plain' })).toBe('')
  if (service === undefined) throw new Error('A spec without diagnostics has a service.')
  return service
}
