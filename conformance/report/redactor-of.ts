import { secretForms } from './secret-forms.js'

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string

/** Stands in place of a secret. */
const mark = '‹redacted›'
/** Letters of the shortest secret that is taken out: less stands in any text by chance. */
const least = 4
/** From so many letters on it is taken out of the middle of a word, too; and where only its beginning is left. */
const telling = 8
/** What JSON is made of: to take it out hides nothing, and spoils every answer. */
const words: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Takes these secrets out of texts, in whatever form they stand there. */
export function redactorOf(secrets: readonly string[]): Redact {
  const meant = secrets.filter(secret => secret.length >= least && !words.has(secret.toLowerCase()))
  const forms = meant
    .flatMap(secret => secretForms(secret).map(form => ({ form, isLong: isLong(secret) })))
    .sort((a, b) => b.form.length - a.form.length)
  if (forms.length === 0) return text => text
  const pattern = new RegExp(forms.map(each => patternOf(each.form, each.isLong)).join('|'), 'gu')
  const long = forms.flatMap(each => (each.isLong ? [each.form] : []))
  return text => long.reduce(withoutBeginning, text.replaceAll(pattern, mark))
}

/** Whether it stands nowhere by chance; of `Bearer X` it is `X` that counts. */
function isLong(secret: string): boolean {
  return (secret.split(/\s+/).at(-1) ?? '').length >= telling
}

function patternOf(form: string, isLong: boolean): string {
  const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (isLong) return exact
  // `%20` and `\n` before it are no part of the word.
  return `(?<![\\p{L}\\p{N}](?<!%[0-9A-Fa-f]{2}|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4}))${exact}(?![\\p{L}\\p{N}])`
}

/** Where a text was cut off in the middle of a secret, its beginning is left. */
function withoutBeginning(text: string, form: string): string {
  const beginning = form.slice(0, telling)
  let rest = text
  for (let at = rest.indexOf(beginning); at >= 0; at = rest.indexOf(beginning, at + 1)) {
    let end = at + telling
    while (end < rest.length && rest[end] === form[end - at]) end++
    if (/^(?:$| ?…|\.\.\.)/.test(rest.slice(end, end + 3))) rest = rest.slice(0, at) + mark + rest.slice(end)
  }
  return rest
}
