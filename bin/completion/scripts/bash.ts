/** Works in bash from 3.2 on, which macOS has; there without control over the blank behind a word. */
export const bash = `# specwright: completion for bash
# shellcheck shell=bash disable=SC2034

_specwright() {
  local paths='' follows='' prefix='' endings='' text ending
  # What readline replaces begins behind the last ":" or "=" of the word; candidates are whole words.
  local word="\${COMP_LINE:0:COMP_POINT}"
  word="\${word##*[[:space:]]}"
  local kept="\${word%"$2"}"
  COMPREPLY=()
  {
    IFS=' ' read -r paths follows prefix endings
    while IFS=$'\\t' read -r text _; do
      [[ -n $text ]] && COMPREPLY+=("\${text#"$kept"}")
    done
  } < <(specwright completion bash --line "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  [[ $follows == open ]] && compopt -o nospace 2>/dev/null
  [[ $paths == files || $paths == folders ]] || return 0
  compopt -o filenames 2>/dev/null
  while IFS= read -r text; do
    COMPREPLY+=("$text")
  done < <(
    compgen -d -- "$2"
    if [[ $paths == files ]]; then
      for ending in \${endings:-''}; do
        compgen -f -X "!*\${ending:+.$ending}" -- "$2"
      done
    fi | while IFS= read -r text; do [[ -d $text ]] || printf '%s\\n' "$text"; done
  )
}

complete -F _specwright specwright
`
