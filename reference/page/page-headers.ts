/**
 * What every answer of the page carries. Scripts come from the page's own server only, requests go nowhere else, and no
 * other page may show or read it. Styles may be inline, since the console's component styles its elements so.
 *
 * @see Content Security Policy Level 3; Fetch Standard, 3.7 (Cross-Origin-Resource-Policy)
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
} as const
