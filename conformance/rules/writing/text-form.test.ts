import { describe, expect, it } from 'vitest'
import { type TextForm, textForm } from './text-form.js'

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
    ['text', 'subject', ['A first text', 'Another one']],
    ['text', 'subject', [null, 7]],
  ])('is %s for %s with the values %j', (form, name, examples) => {
    expect(textForm({ name, unique: false }, examples)).toBe(form)
  })
})
