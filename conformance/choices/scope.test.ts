import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../runtime/query/index.js'
import { propertiesOfQuery } from './scope.js'

describe('the properties of a query', () => {
  it.each([
    ["name eq 'a' and size gt 3", ['name', 'size']],
    ["tolower(id) eq 'a'", ['id', 'tolower(id)']],
    ["'a' eq tolower(trim(name))", ['name', 'tolower(name)']],
    ["startswith(tolower(name),'a')", ['name']],
    ["to/any(x:tolower(x/name) eq 'a')", ['to', 'to/name', 'tolower(name)']],
  ])('include the texts of functions that it compares: %s', (filter, expected) => {
    expect([...propertiesOfQuery({ filter: parseFilter(filter) })].sort()).toEqual(expected)
  })
})
