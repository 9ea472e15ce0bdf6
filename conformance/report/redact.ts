import { authorizationInShell, authorizationOf, nearValidCredentials } from '../http/credentials.js'
import type { TestResponse } from '../http/message.js'
import type { ConformanceOptions } from '../options.js'
import type { ReportedExchange } from './report.js'

/**
 * The forms in which a secret may occur: as is, percent-encoded, escaped in JSON (also twice), escaped in HTML, and in
 * base64. Each once, the longest first.
 */
export function encodedForms(given: string): readonly string[] {
  const bytes = Buffer.from(given, 'utf8')
  // As sent: half a surrogate pair cannot be percent-encoded.
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

/** Percent-encodes punctuation, too, as URLSearchParams and some languages do. */
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

/** Removes secrets from a text. */
export type Redact = (text: string) => string

const redactionMark = '‹redacted›'
/** Minimum length of a secret: a shorter one occurs in texts by chance. */
const minSecretLength = 4
/** A secret of this length is also removed inside words, and where only its beginning is left. */
const longSecretLength = 8
/** Removing these would damage every response and hide nothing. */
const jsonWords: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Creates a function that removes secrets from texts, in any form. */
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

/** Whether it cannot occur by chance. For `Bearer X`, the length of `X` counts. */
function isLong(secret: string): boolean {
  return (secret.split(/\s+/).at(-1) ?? '').length >= longSecretLength
}

function patternOf(form: string, isLong: boolean): string {
  const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (isLong) return exact
  // A preceding `%20` or `\n` is not part of the word.
  return `(?<![\\p{L}\\p{N}](?<!%[0-9A-Fa-f]{2}|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4}))${exact}(?![\\p{L}\\p{N}])`
}

/** Removes the beginning of a secret where the text was truncated in the middle of it. */
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

/** Headers of content negotiation and the like, which hold no secrets. */
const publicHeader = /^(?:accept(?:-.*)?|content-type|odata-(?:max)?version|prefer)$/i

/**
 * The secrets of a run: the token, the values of all other configured headers, and the secret parts of such values: `X`
 * of `Bearer X`, the password of `Basic …`, each value of a cookie.
 */
export function secretsOf({ token, headers = {} }: Pick<ConformanceOptions, 'token' | 'headers'>): readonly string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !publicHeader.test(name))
    .flatMap(([name, value]) => [value.trim(), ...partsOf(name.toLowerCase(), value.trim())])
  return [
    ...new Set([...(token === undefined ? [] : [token, `Bearer ${token}`, ...derivedSecrets(token)]), ...ofHeaders]),
  ]
}

/** What the suite derives from a token to send near-valid credentials. */
function derivedSecrets(token: string): readonly string[] {
  return nearValidCredentials(token).flatMap(each => authorizationOf(each, token)?.split(' ')[1] ?? [])
}

function partsOf(name: string, value: string): readonly string[] {
  if (name === 'cookie') return value.split(';').map(pair => pair.slice(pair.indexOf('=') + 1).trim())
  const [, scheme = '', credential] = /^([A-Za-z][\w-]*)[ \t]+(\S+)$/.exec(value) ?? []
  if (credential === undefined) return []
  if (scheme.toLowerCase() !== 'basic') return [credential]
  const pair = Buffer.from(credential, 'base64').toString('utf8')
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)]
}

/** Members that come from the suite and the spec, never from the service. They stay unchanged. */
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

/** Removes secrets from the texts in plain data. */
export function redactData<Plain>(data: Plain, redact: Redact): Plain
export function redactData(data: unknown, redact: Redact): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map(each => redactData(each, redact))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, notRedacted.has(name) ? value : redactData(value, redact)]),
  )
}

/** The same error, or a copy without the secret if its text has one. */
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

/** Maximum number of characters of a body in a report. */
const maxBodyLength = 4_000

/** An exchange without secrets, which a service may echo in a body or a header. */
export function reportedExchange(response: TestResponse, redact: Redact): ReportedExchange {
  const { status, text, json } = response
  const { method, url, headers, body } = response.request
  const request = {
    method,
    url: redact(url),
    headers: eachOf(headers, redact),
    ...(body === undefined ? {} : { body: redact(body) }),
  }
  return {
    ...request,
    ...(request.body === undefined ? {} : { body: shortened(request.body) }),
    curl: curlLine({ testRequest: response.testRequest, request }),
    status,
    answerHeaders: eachOf(response.headers, redact),
    // Middle pages of a long list keep only their parsed body.
    answer: shortened(redact(text === '' && json !== undefined ? JSON.stringify(json) : text)),
  }
}

function eachOf(headers: Readonly<Record<string, string>>, redact: Redact): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}

function shortened(text: string): string {
  return text.length <= maxBodyLength ? text : `${text.slice(0, maxBodyLength)} … (${text.length} characters)`
}

/** A shell command that sends the same request. The credential is `$TOKEN`. */
function curlLine({ request, testRequest }: Pick<TestResponse, 'request' | 'testRequest'>): string {
  const parts = ['curl', '-i']
  if (request.method === 'HEAD') parts.push('-I')
  else if (request.method !== 'GET') parts.push('-X', request.method)
  const authorization = authorizationInShell(testRequest.credential ?? 'own')
  if (authorization !== undefined) parts.push('-H', authorization)
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'accept') parts.push('-H', shellQuote(`${name}: ${value}`))
  }
  if (request.body !== undefined) parts.push('--data-raw', shellQuote(request.body))
  parts.push(shellQuote(request.url))
  return parts.join(' ')
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
