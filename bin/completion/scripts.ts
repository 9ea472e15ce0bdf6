/** Works in bash 3.2, the version of macOS, and later. Bash 3.2 has no control over the blank after a word. */
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

/** For `source`, or for a file `_specwright` in a folder of `$fpath`. */
export const zsh = `#compdef specwright
# specwright: completion for zsh

_specwright() {
  local -a lines head offered
  local line
  lines=("\${(@f)$(specwright completion zsh --line "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
  head=(\${=lines[1]})
  for line in "\${(@)lines[2,-1]}"; do
    offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#offered )); then
    if [[ $head[2] == open ]]; then
      _describe -V specwright offered -S ''
    else
      _describe -V specwright offered
    fi
  fi
  [[ $head[1] == (files|folders) ]] || return 0
  [[ $head[3] == - ]] || compset -P "\${(b)head[3]}"
  if [[ $head[1] == folders ]]; then
    _files -/
  elif (( $#head > 3 )); then
    _files -g "*.(\${(j:|:)head[4,-1]})(-.)"
  else
    _files
  fi
}

if [[ $funcstack[1] == _specwright ]]; then
  _specwright "$@"
elif (( $+functions[compdef] )); then
  compdef _specwright specwright
else
  autoload -Uz compinit && compinit && compdef _specwright specwright
fi
`

/** For `source`, or for a file `specwright.fish` among the completions of fish. */
export const fish = `# specwright: completion for fish

function __specwright_complete
    set -l lines (specwright completion fish --line (commandline -cp | string collect) 2>/dev/null)
    set -l head (string split ' ' -- $lines[1])
    test (count $lines) -gt 1; and printf '%s\\n' $lines[2..]
    contains -- "$head[1]" files folders; or return 0
    set -l typed (commandline -ct)
    set -l prefix ''
    if test "$head[3]" != -
        set prefix $head[3]
        set typed (string sub -s (math (string length -- $prefix) + 1) -- $typed)
    end
    for path in (__fish_complete_path "$typed" | string replace -r '\\t.*' '')
        if string match -q '*/' -- $path
            printf '%s\\n' $prefix$path
        else if test "$head[1]" = files
            set -l ending (string replace -r '.*\\.' '' -- $path)
            if test (count $head) -lt 4; or contains -- $ending $head[4..]
                printf '%s\\n' $prefix$path
            end
        end
    end
end

complete -c specwright -f -a '(__specwright_complete)'
`
