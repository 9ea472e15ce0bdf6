import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SpecName, specOf } from '../../testing/rule-tests.js'
import { sampleValue, type TextForm, textForm } from './sample-value.js'

const properties = (['directory', 'library'] satisfies SpecName[]).flatMap(name =>
  specOf(name).entityTypes.flatMap(({ ownProperties }) => ownProperties),
)

describe('a sample value of a property', () => {
  it('satisfies its facets for every number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...properties), fc.nat(500), (property, number) => {
        const value = sampleValue(property, number)
        if (value === undefined) return
        const values = property.collection && Array.isArray(value) ? value : [value]
        expect(values.length).toBeLessThanOrEqual(property.maxItems ?? 2)
        for (const each of values) {
          if (typeof each === 'string' && property.type.kind === 'primitive' && property.type.name === 'String') {
            expect(each.length).toBeLessThanOrEqual(property.maxLength ?? 200)
            expect(each.length).toBeGreaterThanOrEqual(property.minLength ?? 0)
            if (property.pattern !== undefined) expect(each).toMatch(new RegExp(property.pattern, 'u'))
            expect(() => encodeURIComponent(each)).not.toThrow()
          }
          if (typeof each === 'number') {
            expect(each).toBeGreaterThanOrEqual(property.minimum ?? each)
            expect(each).toBeLessThanOrEqual(property.maximum ?? each)
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is the same for the same number', () => {
    for (const property of properties) expect(sampleValue(property, 7)).toEqual(sampleValue(property, 7))
  })
})

describe('the form of the texts of a property', () => {
  it.each<[TextForm, string, readonly unknown[]]>([
    ['address', 'mail', []],
    ['address', 'email', ['x']],
    ['address', 'emailAddress', []],
    ['address', 'address', []],
    ['address', 'contact', ['ann@example.com', 'bob@example.com']],
    ['text', 'webAddress', []],
    ['word', 'mailNickname', []],
    ['word', 'language', ['en', 'fr']],
    ['guid', 'skuId', ['0b6a1d1e-7c55-4f0e-9d0a-000000000014']],
    ['url', 'webUrl', ['https://example.com/a']],
    ['timestamp', 'sent', ['2024-01-31T09:30:00Z']],
    ['digits', 'phone', ['123', '456']],
    ['category', 'department', ['Legal team', 'Sales team', 'Legal team', 'Sales team', 'Legal team', 'Legal team']],
    ['text', 'content', Array.from({ length: 4 }, () => 'Please read the report that is attached.')],
    ['text', 'subject', ['A first text', 'Another one']],
    ['text', 'subject', [null, 7]],
  ])('is %s for %s with the values %j', (form, name, examples) => {
    expect(textForm({ name, unique: false }, examples)).toBe(form)
  })
})
