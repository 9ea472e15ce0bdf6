/** Version 13 of better-sqlite3. package.json installs version 12 under the package's own name. */
declare module 'better-sqlite3-napi' {
  export { default } from 'better-sqlite3'
}
