import { describe, expect, it } from 'vitest'
import { serviceName } from './document.js'

describe('the name of a service', () => {
  it.each([
    ['NorthwindModel', 'northwindModel'],
    ['ODataWeb.Northwind.Model', 'northwind'],
    ['com.sap.gateway.srvd.zui_travel.v0001', 'zui_travel'],
    ['Shop.V2_1', 'shop'],
    ['Default', 'default'],
    ['ODataDemo', 'oDataDemo'],
    ['NS', 'ns'],
    ['NS2', 'ns2'],
    ['a.XMLService', 'xmlService'],
    ['A', 'a'],
    ['microsoft.graph', 'graph'],
    ['a.2b-c', 'b-c'],
    ['a.\u00e9', 'service'],
  ])('of %s is %s', (namespace, name) => {
    expect(serviceName([namespace])).toBe(name)
  })

  it('is that of the types if the namespace of the container says nothing', () => {
    expect(serviceName(['Default', 'Default', 'Contoso.Shop.Models'])).toBe('shop')
  })
})
