/** Matches the paths that a template stands for: `/users/{id}` is met by `/users/mira`. */
export function templatePattern(template: string): RegExp {
  const fixed = template.split(/\{[^}]*\}/).map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${fixed.join('[^/]+')}$`)
}
