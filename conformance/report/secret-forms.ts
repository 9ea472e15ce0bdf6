/**
 * How a secret may stand in a text: as it is, percent-encoded, escaped in JSON (and in JSON within JSON), in HTML, and in
 * base64. Each once, the longest first.
 */
export function secretForms(given: string): readonly string[] {
  const bytes = Buffer.from(given, 'utf8')
  // As it goes over the wire: half a surrogate pair cannot be percent-encoded.
  const secret = bytes.toString('utf8')
  const percent = [encodeURIComponent(secret), encodeURI(secret), everyOther(secret)]
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
function everyOther(text: string): string {
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
