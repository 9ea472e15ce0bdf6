import type { ConformanceOptions } from '../options.js'

/**
 * How a secret may stand in a text: as it is, percent-encoded, escaped in JSON (and in JSON within JSON), in HTML, and in
 * base64. Each once, the longest first.
 */
export function encodedForms(given: string): readonly string[] {
  const bytes = Buffer.from(given, 'utf8')
  // As it goes over the wire: half a surrogate pair cannot be percent-encoded.
  const secret = bytes.toString('utf8')
  const percent = [encodeURIComponent(secret), encodeURI(secret), strictPercentEncoded(secret)]
  const escaped = inJson(secret)
  const forms = [
    secret,
    ...percent,
    ...percent.map(form => form.replaceAll('%20', '+')),
    ...percent.map(form => form.replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase())),
    escaped,
    escaped.replaceAll('/', '\\/'),
    inJson(escaped),
    ...["'", '&#39;', '&#x27;', '&apos;'].map(apostrophe => inHtml(secret, apostrophe)),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

/** As URLSearchParams and `encodeURIComponent` of stricter languages write it: punctuation is encoded, too. */
function strictPercentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*~]/g,
    each => `%${each.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function inHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
}

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string

/** Stands in place of a secret. */
const redactionMark = '‹redacted›'
/** Letters of the shortest secret that is taken out: less stands in any text by chance. */
const minSecretLength = 4
/** From so many letters on it is taken out of the middle of a word, too; and where only its beginning is left. */
const longSecretLength = 8
/** What JSON is made of: to take it out hides nothing, and spoils every answer. */
const jsonWords: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Takes these secrets out of texts, in whatever form they stand there. */
export function createRedactor(secrets: readonly string[]): Redact {
  const meant = secrets.filter(secret => secret.length >= minSecretLength && !jsonWords.has(secret.toLowerCase()))
  const forms = meant
    .flatMap(secret => encodedForms(secret).map(form => ({ form, isLong: isLong(secret) })))
    .sort((a, b) => b.form.length - a.form.length)
  if (forms.length === 0) return text => text
  const pattern = new RegExp(forms.map(each => patternOf(each.form, each.isLong)).join('|'), 'gu')
  const long = forms.flatMap(each => (each.isLong ? [each.form] : []))
  return text => long.reduce(redactTruncated, text.replaceAll(pattern, redactionMark))
}

/** Whether it stands nowhere by chance; of `Bearer X` it is `X` that counts. */
function isLong(secret: string): boolean {
  return (secret.split(/\s+/).at(-1) ?? '').length >= longSecretLength
}

function patternOf(form: string, isLong: boolean): string {
  const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (isLong) return exact
  // `%20` and `\n` before it are no part of the word.
  return `(?<![\\p{L}\\p{N}](?<!%[0-9A-Fa-f]{2}|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4}))${exact}(?![\\p{L}\\p{N}])`
}

/** Where a text was cut off in the middle of a secret, its beginning is left. */
function redactTruncated(text: string, form: string): string {
  const beginning = form.slice(0, longSecretLength)
  let rest = text
  for (let at = rest.indexOf(beginning); at >= 0; at = rest.indexOf(beginning, at + 1)) {
    let end = at + longSecretLength
    while (end < rest.length && rest[end] === form[end - at]) end++
    if (/^(?:$| ?…|\.\.\.)/.test(rest.slice(end, end + 3))) rest = rest.slice(0, at) + redactionMark + rest.slice(end)
  }
  return rest
}

/** Headers that say what is wanted and are part of what is judged: nobody keeps a secret in them. */
const publicHeader = /^(?:accept(?:-.*)?|content-type|odata-(?:max)?version|prefer)$/i

/**
 * What may stand in no report: the token, the values of all other headers that were given, and the parts of such a value
 * that are secret by themselves: `X` of `Bearer X`, the password in `Basic …`, each value of a cookie.
 */
export function secretsOf({ token, headers = {} }: Pick<ConformanceOptions, 'token' | 'headers'>): readonly string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !publicHeader.test(name))
    .flatMap(([name, value]) => [value.trim(), ...partsOf(name.toLowerCase(), value.trim())])
  return [...new Set([...(token === undefined ? [] : [token, `Bearer ${token}`]), ...ofHeaders])]
}

function partsOf(name: string, value: string): readonly string[] {
  if (name === 'cookie') return value.split(';').map(pair => pair.slice(pair.indexOf('=') + 1).trim())
  const [, scheme = '', credential] = /^([A-Za-z][\w-]*)[ \t]+(\S+)$/.exec(value) ?? []
  if (credential === undefined) return []
  if (scheme.toLowerCase() !== 'basic') return [credential]
  const pair = Buffer.from(credential, 'base64').toString('utf8')
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)]
}

/** What this package and the spec say, and no service: it stays as it is, whatever words the secrets are. */
const notRedacted: ReadonlySet<string> = new Set([
  'area',
  'clauses',
  'description',
  'fingerprint',
  'legal',
  'method',
  'name',
  'pointer',
  'ref',
  'reference',
  'replay',
  'rule',
  'service',
  'severity',
  'started',
  'state',
  'statement',
  'template',
  'value',
  'verdict',
])

/** The same plain data with the secrets taken out of its texts. */
export function redactData<Plain>(data: Plain, redact: Redact): Plain
export function redactData(data: unknown, redact: Redact): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map(each => redactData(each, redact))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, notRedacted.has(name) ? value : redactData(value, redact)]),
  )
}

/** The same error, or, where a secret stands in its text, one like it that holds none. */
export function redactError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error
  const cause = error.cause === undefined ? undefined : redactError(error.cause, redact)
  const message = redact(error.message)
  const stack = redact(error.stack ?? '')
  if (cause === error.cause && message === error.message && stack === (error.stack ?? '')) return error
  const clean = new Error(message, cause === undefined ? {} : { cause })
  clean.name = error.name
  clean.stack = stack
  return clean
}
