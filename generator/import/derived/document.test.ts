import { describe, expect, it } from 'vitest'
import { serviceName } from './document.js'

describe('the name of a service', () => {
  it.each([
    ['NorthwindModel', 'northwindModel'],
    ['ODataWeb.Northwind.Model', 'model'],
    ['ODataDemo', 'oDataDemo'],
    ['NS', 'ns'],
    ['NS2', 'ns2'],
    ['a.XMLService', 'xmlService'],
    ['A', 'a'],
    ['microsoft.graph', 'graph'],
    ['a.2b-c', 'b-c'],
    ['a.\u00e9', 'service'],
  ])('of %s is %s', (namespace, name) => {
    expect(serviceName(namespace)).toBe(name)
  })
})
