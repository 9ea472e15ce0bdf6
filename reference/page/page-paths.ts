/**
 * Where the page and what belongs to it is on the server. A version, which is what a service's own paths begin with, has
 * no dollar sign and is not empty, so that only the OpenAPI document can meet a service of that name.
 */
export const pagePaths = {
  page: '/',
  openapi: '/openapi.json',
  /** With `?path=/users`: what the console needs to know of that path. */
  path: '/$page/openapi.json',
  style: '/$page/page.css',
  script: '/$page/console.mjs',
  component: '/$page/openapi-explorer.js',
  licences: '/$page/licences.txt',
} as const
