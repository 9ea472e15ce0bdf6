import { describe, expect, it } from 'vitest'
import { htmlToText, textToHtml } from './content-preference.js'

describe('the text of HTML', () => {
  it.each([
    ['', ''],
    ['plain', 'plain'],
    ['<html><head><title>x</title><style>p{}</style></head><body><p>Hello <b>you</b></p></body></html>', 'Hello you'],
    ['one<br>two<p>three</p>', 'one\ntwo\nthree'],
    ['a &lt;b&gt; &amp;amp; &#65;&#x1F600;&nbsp;c', 'a <b> &amp; A😀\u00a0c'],
    ['&unknown; &#xD800; &', '&unknown; &#xD800; &'],
    ['<script>if (a < b) alert("</p>")</script>after', 'after'],
    ['open <b', 'open'],
  ])('of %s is %s', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  it('is found in markup without text', () => {
    expect(htmlToText('<'.repeat(200_000))).toBe('')
    expect(htmlToText('&#'.repeat(200_000)).length).toBe(400_000)
  })
})

it.each(['a <b> & "c"', 'two\nlines', '😀'])('HTML shows the text %j unchanged', text => {
  expect(htmlToText(textToHtml(text))).toBe(text)
})
