import { describe, expect, it } from 'vitest'
import { disarmCommands, shortenLinks } from './report.js'

const long = 'x'.repeat(300)

describe('texts in reports', () => {
  it.each([
    [
      'the token of a next link',
      `http://h/v1/a?$skiptoken=${long}&$top=5`,
      /\$skiptoken=x{24}…\(300 characters\)&\$top=5$/,
    ],
    ['any other long parameter', `'http://h/v1/a?page=${long}'`, /page=x{24}…\(300 characters\)'$/],
  ])('shorten %s', (_, text, wanted) => {
    expect(shortenLinks(text)).toMatch(wanted)
  })

  it.each([`http://h/a?$filter=${long}`, `http://h/a?%24filter=${long}`, 'http://h/a?$skiptoken=short', long])(
    'keep queries and short parameters: %s',
    text => {
      expect(shortenLinks(text)).toBe(text)
    },
  )

  it('disarm commands to a CI runner', () => {
    expect(disarmCommands('a\n ::add-mask::b\n##[x]')).toBe('a\n \\::add-mask::b\n#\\#[x]')
  })
})
