/** Version 13 and later, beside version 12, which package.json has under the package's own name. */
declare module 'better-sqlite3-napi' {
  export { default } from 'better-sqlite3'
}
