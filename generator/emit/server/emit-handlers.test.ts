import { describe, expect, it } from 'vitest'
import { emitted } from '../../testing/emitted.js'

const spec = `
specwright: 1
service: { name: shop, version: v1, title: The Shop }
authentication: { scheme: none }
resources: { item: { kind: entityType, key: [id], properties: { id: { type: String } } } }
container: { notImplemented: { entitySet: item } }
paths: { /notImplemented: { get: {} } }
errors: {}
`

describe('emitHandlers', () => {
  it('writes handlers that are not implemented, even for a resource called notImplemented', () => {
    const text = emitted('handlers/not-implemented.ts', spec)
    expect(text).toBe(
      [
        "import { notImplemented, type NotImplementedHandlers } from '../server.js'",
        "import type { Context } from './context.js'",
        '',
        '/** The handlers of notImplemented. */',
        'export const notImplemented_: NotImplementedHandlers<Context> = {',
        '  /** GET /notImplemented */',
        '  list: notImplemented,',
        '}',
        '',
      ].join('\n'),
    )
  })
})
