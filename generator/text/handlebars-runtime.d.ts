/** Handlebars without its compiler. The declarations of the package export no names for it. */
declare module 'handlebars/runtime.js' {
  import type Handlebars from 'handlebars'

  const runtime: Pick<typeof Handlebars, 'template'>
  export default runtime
}
